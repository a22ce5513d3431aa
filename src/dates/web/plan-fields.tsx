import { type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { registerWithLateBlur } from '../../base/web/forms/register-with-late-blur.ts';
import { CheckField } from '../../kit/web/forms/check-field.tsx';
import { DateTimeField } from '../../kit/web/forms/date-time-field.tsx';
import { Fields } from '../../kit/web/forms/form.tsx';
import { QuickFills } from '../../kit/web/forms/quick-fills.tsx';
import type { PlanForm } from '../plan-form.ts';
import type { QuickFill } from '../quick-fills.ts';
import { OptionalTextFields } from './optional-text-fields.tsx';

export interface PlanFieldsProps {
  readonly form: UseFormReturn<PlanForm>;
  readonly quickFills: readonly QuickFill[];
  /** The limits of the pickers, if the form has any. */
  readonly limits?: { readonly min: string; readonly max: string };
  /** Which limit of the texts the form has. */
  readonly limit: 'max' | 'planMax';
  /** The format of this form's counters. */
  readonly between: ' / ' | '/';
  readonly locationHint?: string | undefined;
  /** The sentence below 'Keep it a surprise'. Without one, the form has no such box. */
  readonly surpriseHint?: ((checked: boolean) => string) | undefined;
}

/** The fields shared by the plan form and the edit form: times, place, notes, and whether it is a surprise. */
export function PlanFields({ form, quickFills, limits, limit, between, locationHint, surpriseHint }: PlanFieldsProps) {
  const { control, setValue } = form;
  const register = registerWithLateBlur(form);
  const { plannedDateTime: start, surprise = false, ...texts } = useWatch({ control });
  const { errors } = useFormState({ control });
  const fill = (value: string) => {
    setValue('plannedDateTime', value, { shouldDirty: true, shouldTouch: true, shouldValidate: true });
    void form.trigger('endDateTime');
  };
  return (
    <>
      <QuickFills
        legend="Quick fill"
        options={quickFills.map(({ label, value }) => ({ label, holds: start === value, fill: () => fill(value) }))}
      />
      <Fields pair>
        <DateTimeField
          label="Date and time"
          required
          error={errors.plannedDateTime?.message}
          {...limits}
          {...register('plannedDateTime', { deps: 'endDateTime' })}
        />
        <DateTimeField
          label="End time"
          optional
          error={errors.endDateTime?.message}
          {...limits}
          {...register('endDateTime')}
        />
      </Fields>
      <Fields>
        <OptionalTextFields
          texts={texts}
          errors={errors}
          register={register}
          limit={limit}
          between={between}
          hints={{ location: locationHint }}
        />
        {surpriseHint && (
          <CheckField label="Keep it a surprise" hint={surpriseHint(surprise)} {...register('surprise')} />
        )}
      </Fields>
    </>
  );
}
