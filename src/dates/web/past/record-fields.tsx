import { type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNow } from '../../../base/web/device/now.ts';
import { registerWithLateBlur } from '../../../base/web/forms/register-with-late-blur.ts';
import { DateTimeField } from '../../../kit/web/forms/date-time-field.tsx';
import { Fields } from '../../../kit/web/forms/form.tsx';
import { QuickFills } from '../../../kit/web/forms/quick-fills.tsx';
import { dayFills } from '../../day-fills.ts';
import { pastPickerLimits } from '../../picker-limits.ts';
import type { RecordForm } from '../../record-form.ts';
import { OptionalTextFields } from '../optional-text-fields.tsx';

/** The fields of what happened: start, end, place and notes. @param withFills whether quick fills stand above them */
export function RecordFields({ form, withFills = false }: { form: UseFormReturn<RecordForm>; withFills?: boolean }) {
  const { control } = form;
  const register = registerWithLateBlur(form);
  const { actualStartTime: start = '', actualEndTime: end, ...texts } = useWatch({ control });
  const { errors } = useFormState({ control });
  const now = useNow();
  const zone = deviceZone();
  const limits = pastPickerLimits(now, zone);
  const fill = (times: { readonly start: string; readonly end: string }) => {
    const options = { shouldDirty: true, shouldTouch: true, shouldValidate: true };
    form.setValue('actualStartTime', times.start, options);
    form.setValue('actualEndTime', times.end, options);
  };
  return (
    <>
      {withFills && (
        <QuickFills
          legend="Quick fill"
          options={dayFills({ actualStartTime: start }, now, zone).map((times) => ({
            label: times.label,
            holds: start === times.start && end === times.end,
            fill: () => fill(times),
          }))}
        />
      )}
      <Fields pair>
        <DateTimeField
          label="Started"
          required
          error={errors.actualStartTime?.message}
          {...limits}
          {...register('actualStartTime', { deps: 'actualEndTime' })}
        />
        <DateTimeField
          label="Ended"
          required
          error={errors.actualEndTime?.message}
          {...limits}
          {...register('actualEndTime')}
        />
      </Fields>
      <Fields>
        <OptionalTextFields texts={texts} errors={errors} register={register} limit="max" between="/" />
      </Fields>
    </>
  );
}
