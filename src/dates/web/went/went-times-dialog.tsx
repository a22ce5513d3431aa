import { useFormState, useWatch } from 'react-hook-form';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { clock, useNow } from '../../../base/web/device/now.ts';
import { registerWithLateBlur } from '../../../base/web/forms/register-with-late-blur.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { useDialog } from '../../../kit/web/feedback/dialog.tsx';
import { DialogActions, SheetDialog } from '../../../kit/web/feedback/sheet-dialog.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { DateTimeField } from '../../../kit/web/forms/date-time-field.tsx';
import { Fields, Form } from '../../../kit/web/forms/form.tsx';
import { useSubmitForm } from '../../../kit/web/forms/use-submit-form.ts';
import { completeDurationText } from '../../complete-form.ts';
import { correctionErrors, recordFormOf } from '../../correction-form.ts';
import { pastPickerLimits } from '../../picker-limits.ts';
import type { RecordForm } from '../../record-form.ts';
import { DurationRow } from '../duration-row.tsx';
import { refusalOf } from '../explain-failure.ts';
import { useSaveRecord } from '../past/use-save-record.ts';
import { useFreshDate } from '../queries.ts';
import type { CompletedWent } from './completed-went.ts';
import { hideWent } from './shown-went.ts';
import css from './went-times-dialog.module.css';

/**
 * 'When were we out?': corrects the times of a date that 'We went!' completed. It doesn't undo and complete it again: a
 * correction has no time limit, and leaves nothing half done if the page closes.
 */
export function WentTimesDialog({ went }: { went: CompletedWent }) {
  const { date } = went;
  const zone = deviceZone();
  const dialog = useDialog();
  const fetchNow = useFreshDate(date.id);
  const saveRecord = useSaveRecord(date.id);
  const { form, formProps, isSending, failure, dismiss } = useSubmitForm<RecordForm, void>({
    defaultValues: recordFormOf(date, zone),
    faults: (values) => correctionErrors(values, date, clock(), zone),
    send: async ({ actualStartTime, actualEndTime }) => {
      if ((await went.saved) === null) return;
      // The partner may have changed the texts.
      const { entity, etag } = await fetchNow();
      await saveRecord({ ...recordFormOf(entity, zone), actualStartTime, actualEndTime }, entity, etag);
    },
    onSuccess: () => dialog.current?.close(),
    explain: (error) => refusalOf(error) ?? 'Failed to save the times. Please try again.',
  });
  const { errors, isValid } = useFormState({ control: form.control });
  const register = registerWithLateBlur(form);
  const limits = pastPickerLimits(useNow(), zone);
  const [actualStartTime, actualEndTime] = useWatch({
    control: form.control,
    name: ['actualStartTime', 'actualEndTime'],
  });
  const duration = completeDurationText({ actualStartTime, actualEndTime, notes: '' }, date, zone);
  return (
    <SheetDialog ref={dialog} title="When were we out?" className={css.dialog} onClose={() => hideWent(went)}>
      <p className={css.date}>{date.dateIdea.title}</p>
      <Form {...formProps} className={css.form}>
        <Banner onDismiss={dismiss} more="The times you chose are still here.">
          {failure}
        </Banner>
        <Fields pair>
          <DateTimeField
            label="Actual start time"
            error={errors.actualStartTime?.message}
            {...limits}
            {...register('actualStartTime', { deps: 'actualEndTime' })}
          />
          <DateTimeField
            label="Actual end time"
            error={errors.actualEndTime?.message}
            {...limits}
            {...register('actualEndTime')}
          />
        </Fields>
        <DurationRow label="Duration">{duration}</DurationRow>
        <DialogActions className={css.actions}>
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={!isValid} busy={isSending}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </SheetDialog>
  );
}
