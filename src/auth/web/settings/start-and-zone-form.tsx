import { useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../../base/form-errors.ts';
import { platformZone } from '../../../base/time-zones.ts';
import { clock, useNow } from '../../../base/web/device/now.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields } from '../../../kit/web/forms/form.tsx';
import { SelectField } from '../../../kit/web/forms/select-field.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import type { Couple } from '../../contract.ts';
import { EARLIEST_TOGETHER_SINCE, latestTogetherSince, togetherSinceFault } from '../../together-since.ts';
import { AuthForm } from '../auth-form.tsx';
import { authApi } from '../queries.ts';
import { setUser } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import { useAuthForm } from '../use-auth-form.ts';

interface StartAndZoneForm {
  /** `2019-06-01`, or ''. */
  togetherSince: string;
  timeZone: string;
}

/** The form for the couple's start date and time zone. The statistics use both. */
export function StartAndZoneForm() {
  const user = useUser();
  const { togetherSince, timeZone } = user.couple;
  const now = useNow();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const { register, errors, isSending, form } = useAuthForm<StartAndZoneForm, Couple>({
    stored: { togetherSince: togetherSince ?? '', timeZone },
    faults: ({ togetherSince: day }) =>
      formErrors({ togetherSince: day === '' ? undefined : togetherSinceFault(day, clock()) }),
    send: async (values) => {
      const couple = await authApi('PUT /api/couple', {
        body: { togetherSince: values.togetherSince === '' ? null : values.togetherSince, timeZone: values.timeZone },
      });
      setUser({ ...user, couple });
      // Every figure may fall on another day in the new time zone.
      void queryClient.invalidateQueries();
      return couple;
    },
    onSuccess: (couple, _, reset) => {
      reset({ togetherSince: couple.togetherSince ?? '', timeZone: couple.timeZone });
      notify.status('Our time settings are saved');
    },
    fields: ['togetherSince', 'timeZone'],
  });
  return (
    <AuthForm {...form}>
      <Fields pair>
        <TextField
          label="Together since"
          type="date"
          min={EARLIEST_TOGETHER_SINCE}
          max={latestTogetherSince(now)}
          error={errors.togetherSince?.message}
          {...register('togetherSince')}
        />
        <SelectField
          label="Time zone"
          hint={platformZone() === null && 'This device names no time zone, so it shows times in UTC.'}
          error={errors.timeZone?.message}
          {...register('timeZone')}
        >
          {timeZones(timeZone).map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
      </Fields>
      <div>
        <Button type="submit" busy={isSending}>
          Save Time
        </Button>
      </div>
    </AuthForm>
  );
}

/** The time zones that this browser knows, and the current one, which it may list under another name. */
function timeZones(current: string): readonly string[] {
  return [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])].sort();
}
