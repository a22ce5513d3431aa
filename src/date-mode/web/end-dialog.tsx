import { useState } from 'react';
import { useLocation } from 'wouter';
import { clockTime, formatInstant, longDuration, minutesBetween } from '../../base/time.ts';
import { clock, deviceZone, useNow } from '../../base/web/device/now.ts';
import { asApiError } from '../../base/web/net/api-error.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { DurationRow } from '../../dates/web/duration-row.tsx';
import { refusalOf } from '../../dates/web/explain-failure.ts';
import { useCompleteDate } from '../../dates/web/queries.ts';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { DialogActions, SheetDialog, useDialog } from '../../kit/web/feedback/dialog.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { Sending } from '../../kit/web/forms/fields.tsx';
import { QuickFills } from '../../kit/web/forms/quick-fills.tsx';
import { paths } from '../../paths.ts';
import { endChoices, startOf } from '../running-date.ts';
import css from './end-dialog.module.css';
import type { NoteField } from './use-note.ts';

export interface EndDialogProps {
  readonly date: PlannedDate;
  readonly note: Pick<NoteField, 'flush' | 'isOver'>;
  readonly onClose: () => void;
}

/** 'When did our date end?': now or a while ago, then the date is completed. */
export function EndDialog({ date, note, onClose }: EndDialogProps) {
  const dialog = useDialog();
  const [chosen, setChosen] = useState('Now');
  const [failure, setFailure] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const { mutateAsync } = useCompleteDate(date.id);
  const [isEnding, setEnding] = useState(false);
  const zone = deviceZone();
  // Exact when it opens, then by the minute.
  const [openedAt] = useState(clock);
  const choices = endChoices(date, Math.max(useNow(), openedAt));
  const start = startOf(date);
  const end = choices.find(({ label }) => label === chosen)?.end ?? openedAt;

  const endDate = async () => {
    setFailure(null);
    // The note can't be changed after the end.
    if (!(await note.flush())) {
      setFailure(note.isOver ? 'Our note is too long. Please shorten it first.' : 'Our note could not be saved yet.');
      return;
    }
    // At the moment of the press, not of the last minute.
    const now = clock();
    const at = endChoices(date, now).find(({ label }) => label === chosen)?.end ?? now;
    try {
      await mutateAsync({ body: { actualEndTime: formatInstant(at) }, ifMatch: null });
      dialog.current?.close();
      navigate(`${paths.date(date.id)}?completed=true`, { replace: true });
    } catch (error) {
      setFailure(refusalOf(asApiError(error)) ?? 'Failed to complete date. Please try again.');
    }
  };
  const finish = async () => {
    setEnding(true);
    await endDate();
    setEnding(false);
  };
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
      <Sending value={isEnding}>
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
        <Button variant="primary" busy={isEnding} onClick={() => void finish()}>
          End our date
        </Button>
      </DialogActions>
    </SheetDialog>
  );
}
