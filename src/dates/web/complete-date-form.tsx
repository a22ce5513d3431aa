import { type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { countText } from '../../base/clean-text.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { clock, useNow } from '../../base/web/device/now.ts';
import { counter } from '../../base/web/forms/counter.ts';
import { registerWithLateBlur } from '../../base/web/forms/register-with-late-blur.ts';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { DateTimeField } from '../../kit/web/forms/date-time-field.tsx';
import { Fields } from '../../kit/web/forms/form.tsx';
import { QuickFills } from '../../kit/web/forms/quick-fills.tsx';
import { SaveForm, type SaveFormProps } from '../../kit/web/forms/save-form.tsx';
import { TextArea } from '../../kit/web/forms/text-area.tsx';
import { paths } from '../../paths.ts';
import { completeDurationText, type CompleteForm as Values } from '../complete-form.ts';
import type { PlannedDate } from '../contract.ts';
import { OPTIONAL_TEXTS } from '../optional-texts.ts';
import { completePickerMax } from '../picker-limits.ts';
import { completeQuickFills } from '../quick-fills.ts';
import css from './complete.module.css';
import { DurationRow } from './duration-row.tsx';

export interface CompleteFormProps {
  readonly date: PlannedDate;
  readonly edit: SaveFormProps<Values>['state'];
}

/** The complete form: start, end and notes (dates.complete.1). */
export function CompleteDateForm({ date, edit }: CompleteFormProps) {
  const { form } = edit;
  const { control } = form;
  const register = registerWithLateBlur(form);
  const { errors } = useFormState({ control });
  const notes = useWatch({ control, name: 'notes' });
  const max = completePickerMax(useNow(), deviceZone());
  return (
    <SaveForm
      label="When did it end?"
      state={edit}
      submit="Complete Date"
      cancel={<ButtonLink href={paths.date(date.id)}>Cancel</ButtonLink>}
    >
      <Fields pair>
        <DateTimeField
          label="Actual start time"
          optional
          hint="leave empty to use the original start time"
          error={errors.actualStartTime?.message}
          max={max}
          {...register('actualStartTime', { deps: 'actualEndTime' })}
        />
        <DateTimeField
          label="Actual end time"
          required
          error={errors.actualEndTime?.message}
          max={max}
          {...register('actualEndTime')}
        />
      </Fields>
      <EndedAt date={date} form={form} />
      <Duration date={date} form={form} />
      <TextArea
        label="Notes"
        optional
        error={errors.notes?.message}
        {...counter(countText(notes), OPTIONAL_TEXTS.notes.max)}
        {...register('notes')}
      />
    </SaveForm>
  );
}

interface Part {
  readonly date: PlannedDate;
  readonly form: UseFormReturn<Values>;
}

function EndedAt({ date, form }: Part) {
  const zone = deviceZone();
  const end = useWatch({ control: form.control, name: 'actualEndTime' });
  const started = date.actualStartTime === null ? null : Date.parse(date.actualStartTime);
  const fillAt = (index: number) => {
    // Use the time of the press, not of the last render.
    const value = completeQuickFills(clock(), zone, started)[index]?.value ?? '';
    form.setValue('actualEndTime', value, { shouldDirty: true, shouldTouch: true, shouldValidate: true });
  };
  return (
    <QuickFills
      legend="It ended"
      options={completeQuickFills(useNow(), zone, started).map(({ label, value }, index) => ({
        label,
        holds: end === value,
        fill: () => fillAt(index),
      }))}
    />
  );
}

function Duration({ date, form }: Part) {
  const values = useWatch({ control: form.control }) as Values;
  const text = completeDurationText(values, date, deviceZone());
  const known = /^\d/.test(text);
  return (
    <DurationRow label="Duration" valueClass={known ? css.long : text.startsWith('Invalid') ? css.invalid : css.none}>
      {text}
    </DurationRow>
  );
}
