import { useEffect, useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { clock, deviceZone, useNow } from '../../../base/web/device/now.ts';
import { registerWithLateBlur } from '../../../base/web/forms/register-with-late-blur.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { DialogActions, SheetDialog, useDialog } from '../../../kit/web/feedback/dialog.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { DateTimeField } from '../../../kit/web/forms/date-time-field.tsx';
import { Fields, Form } from '../../../kit/web/forms/fields.tsx';
import { useSubmitForm } from '../../../kit/web/forms/use-submit-form.ts';
import { type CompleteForm, completeBody, completeDurationText, completeErrors } from '../../complete-rules.ts';
import type { PlannedDate } from '../../contract.ts';
import { completePickerMax } from '../../quick-fills.ts';
import { wentFormOf } from '../../went-texts.ts';
import { DurationRow } from '../duration-row.tsx';
import { refusalOf } from '../explain-failure.ts';
import type { CompletedWent } from './completed-went.ts';
import { hideWent } from './shown-went.ts';
import type { TimesChange } from './times-change.ts';
import css from './went-times-dialog.module.css';

/**
 * 'When were we out?': changes the times of a date that 'We went!' completed, and that was taken back for it. 'Cancel'
 * completes it as it was.
 */
export function WentTimesDialog({ went, change }: { went: CompletedWent; change: TimesChange }) {
  const { date } = went;
  const zone = deviceZone();
  const dialog = useDialog();
  const notify = useNotify();
  const [state, setState] = useState<'open' | 'saved' | 'closed'>('open');
  // The notes stay as they are.
  const base: Pick<PlannedDate, 'actualStartTime' | 'notes'> = { actualStartTime: date.actualStartTime, notes: null };
  const { form, formProps, isSending, failure, dismiss } = useSubmitForm<CompleteForm, boolean>({
    defaultValues: wentFormOf(date, zone),
    faults: (values) => completeErrors(values, base, clock(), zone),
    send: (values) => change.save(completeBody(values, base, zone)),
    onSuccess: (wasCompleted) => setState(wasCompleted ? 'saved' : 'closed'),
    explain: (error) => refusalOf(error) ?? 'Failed to save the times. Please try again.',
  });
  const { errors, isValid } = useFormState({ control: form.control });
  const register = registerWithLateBlur(form);
  const max = completePickerMax(useNow(), zone);
  const duration = completeDurationText(useWatch({ control: form.control }) as CompleteForm, base, zone);
  useEffect(() => {
    if (state !== 'open') dialog.current?.close();
  }, [state, dialog]);

  const close = () => {
    if (state !== 'saved') change.cancel().catch(() => notify.alert('Failed to complete date. Please try again.'));
    hideWent(went);
  };
  return (
    <SheetDialog ref={dialog} title="When were we out?" className={css.dialog} onClose={close}>
      <p className={css.date}>{date.dateIdea.title}</p>
      <Form {...formProps} className={css.form}>
        <Banner onDismiss={dismiss} more="The times you chose are still here.">
          {failure}
        </Banner>
        <Fields pair>
          <DateTimeField
            label="Actual start time"
            error={errors.actualStartTime?.message}
            max={max}
            {...register('actualStartTime', { deps: 'actualEndTime' })}
          />
          <DateTimeField
            label="Actual end time"
            error={errors.actualEndTime?.message}
            max={max}
            {...register('actualEndTime')}
          />
        </Fields>
        <DurationRow label="Duration">{duration}</DurationRow>
        <DialogActions className={css.actions}>
          <Button onClick={() => setState('closed')}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={!isValid} busy={isSending}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </SheetDialog>
  );
}
