import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { clockTime } from '../../base/date-formats.ts';
import { longDuration, minutesBetween } from '../../base/durations.ts';
import { formatInstant } from '../../base/instants.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { clock, useNow } from '../../base/web/device/now.ts';
import { asApiError } from '../../base/web/net/api-error.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { startOf } from '../../dates/start-of.ts';
import { DurationRow } from '../../dates/web/duration-row.tsx';
import { refusalOf } from '../../dates/web/explain-failure.ts';
import { useCompleteDate } from '../../dates/web/queries.ts';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { useDialog } from '../../kit/web/feedback/dialog.tsx';
import { DialogActions, SheetDialog } from '../../kit/web/feedback/sheet-dialog.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { Sending } from '../../kit/web/forms/form.tsx';
import { QuickFills } from '../../kit/web/forms/quick-fills.tsx';
import { paths } from '../../paths.ts';
import { endChoices } from '../running-date-times.ts';
import css from './end-dialog.module.css';
import type { NoteField } from './use-note.ts';

export interface EndDialogProps {
  readonly date: PlannedDate;
  readonly note: Pick<NoteField, 'flush' | 'isTooLong'>;
  readonly onClose: () => void;
}

/** 'When did our date end?': now or a while ago, then the date is completed. */
export function EndDialog({ date, note, onClose }: EndDialogProps) {
  const dialog = useDialog();
  const [chosen, setChosen] = useState('Now');
  const [failure, setFailure] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const completeDate = useCompleteDate(date.id);
  const zone = deviceZone();
  // Exact when it opens, then by the minute.
  const [openedAt] = useState(clock);
  const choices = endChoices(date, Math.max(useNow(), openedAt));
  const start = startOf(date);
  const end = choices.find(({ label }) => label === chosen)?.end ?? openedAt;

  const ending = useMutation({
    mutationFn: async () => {
      // The note can't be changed after the end.
      if (!(await note.flush())) throw new UnsavedNote();
      // At the moment of the press, not of the last minute.
      const now = clock();
      const at = endChoices(date, now).find(({ label }) => label === chosen)?.end ?? now;
      await completeDate({ body: { actualEndTime: formatInstant(at) }, ifMatch: null });
    },
    onMutate: () => setFailure(null),
    onSuccess: () => {
      dialog.current?.close();
      navigate(`${paths.date(date.id)}?completed=true`, { replace: true });
    },
    onError: (error) => setFailure(failureText(error, note.isTooLong)),
  });
  return (
    <SheetDialog
      ref={dialog}
      role="alertdialog"
      title="When did our date end?"
      className={css.dialog}
      onClose={onClose}
    >
      <Banner onDismiss={() => setFailure(null)} more="Nothing is lost.">
        {failure}
      </Banner>
      <Sending value={ending.isPending}>
        <QuickFills
          legend="It ended"
          options={choices.map(({ label }) => ({ label, holds: chosen === label, fill: () => setChosen(label) }))}
        />
      </Sending>
      <DurationRow label={`${clockTime(start, zone)} to ${clockTime(end, zone)}`}>
        {longDuration(Math.max(0, minutesBetween(start, end)))}
      </DurationRow>
      <DialogActions className={css.actions}>
        <Button data-first onClick={() => dialog.current?.close()}>
          Stay a little
        </Button>
        <Button variant="primary" busy={ending.isPending} onClick={() => ending.mutate()}>
          End our date
        </Button>
      </DialogActions>
    </SheetDialog>
  );
}

/** The note could not be saved before the end. */
class UnsavedNote extends Error {}

function failureText(error: unknown, isNoteTooLong: boolean): string {
  if (!(error instanceof UnsavedNote)) {
    return refusalOf(asApiError(error)) ?? 'Failed to complete date. Please try again.';
  }
  return isNoteTooLong ? 'Our note is too long. Please shorten it first.' : 'Our note could not be saved yet.';
}
