import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formErrors } from '../../../base/form.ts';
import { platformZone } from '../../../base/time.ts';
import { withCompleteTimes } from '../../../base/web/complete-times.ts';
import { verdictResolver } from '../../../base/web/form.ts';
import { clock, useNow } from '../../../base/web/now.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields, Form } from '../../../kit/web/forms/fields.tsx';
import { SelectField } from '../../../kit/web/forms/select-field.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import { EARLIEST_TOGETHER_SINCE, latestTogetherSince, togetherSinceFault } from '../../together-since.ts';
import { showRefusal } from '../account-form.ts';
import { authApi } from '../queries.ts';
import { setUser } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';

interface TimeForm {
  /** `2019-06-01`, or ''. */
  togetherSince: string;
  timeZone: string;
}

/** The form for the couple's start date and time zone. The statistics use both. */
export function TimeForm() {
  const user = useUser();
  const { togetherSince, timeZone } = user.couple;
  const now = useNow();
  const queries = useQueryClient();
  const notify = useNotify();
  const [refusal, setRefusal] = useState('');
  const { register, handleSubmit, formState, setError, reset } = useForm<TimeForm>({
    values: { togetherSince: togetherSince ?? '', timeZone },
    resetOptions: { keepDirtyValues: true },
    resolver: withCompleteTimes(
      verdictResolver(({ togetherSince: day }) =>
        formErrors<TimeForm>({ togetherSince: day === '' ? undefined : togetherSinceFault(day, clock()) }),
      ),
    ),
    mode: 'onTouched',
  });
  const save = useMutation({
    mutationFn: ({ togetherSince, timeZone }: TimeForm) =>
      authApi('PUT /api/couple', { body: { togetherSince: togetherSince === '' ? null : togetherSince, timeZone } }),
    onMutate: () => setRefusal(''),
    onSuccess: (couple) => {
      setUser({ ...user, couple });
      reset({ togetherSince: couple.togetherSince ?? '', timeZone: couple.timeZone });
      // Every figure may fall on another day in the new time zone.
      void queries.invalidateQueries();
      notify.status('Our time settings are saved');
    },
    onError: (error) => setRefusal(showRefusal(error, ['togetherSince', 'timeZone'], setError)),
  });
  const submit = handleSubmit((form) => (save.isPending ? undefined : save.mutate(form)));
  const { errors } = formState;
  return (
    <Form sending={save.isPending} onSubmit={(event) => void submit(event)}>
      <Banner onDismiss={() => setRefusal('')}>{refusal}</Banner>
      <Fields pair>
        <TextField
          label="Together since"
          type="date"
          min={EARLIEST_TOGETHER_SINCE}
          max={latestTogetherSince(now)}
          error={errors.togetherSince?.message}
          {...register('togetherSince')}
          defaultValue={formState.defaultValues?.togetherSince}
        />
        <SelectField
          label="Time zone"
          hint={platformZone() === null && 'This device names no time zone, so it shows times in UTC.'}
          error={errors.timeZone?.message}
          {...register('timeZone')}
          defaultValue={formState.defaultValues?.timeZone}
        >
          {timeZones(timeZone).map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
      </Fields>
      <div>
        <Button type="submit" busy={save.isPending}>
          Save Time
        </Button>
      </div>
    </Form>
  );
}

/** The time zones that this browser knows, and the current one, which it may list under another name. */
function timeZones(current: string): readonly string[] {
  return [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])].sort();
}
