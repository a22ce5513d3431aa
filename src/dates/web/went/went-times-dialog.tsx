import { useEffect, useId, useState } from 'react';
import { useForm, useFormState, useWatch } from 'react-hook-form';
import { formatInstant } from '../../../base/time.ts';
import { clock, deviceZone, useNow } from '../../../base/web/device/now.ts';
import { withCompleteTimes } from '../../../base/web/forms/complete-times.ts';
import { registerWithLateBlur, useFormProps, verdictResolver } from '../../../base/web/forms/form.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { cx } from '../../../kit/web/cx.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import sheet from '../../../kit/web/feedback/dialog.module.css';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { useModal } from '../../../kit/web/feedback/use-modal.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { DateTimeField } from '../../../kit/web/forms/date-time-field.tsx';
import { Fields, Form } from '../../../kit/web/forms/fields.tsx';
import { completeBody, completeDurationText, completeErrors } from '../../complete-rules.ts';
import type { PlannedDate } from '../../contract.ts';
import { completePickerMax } from '../../quick-fills.ts';
import { wentFormOf } from '../../went-texts.ts';
import { DurationRow } from '../duration-row.tsx';
import { refusalOf } from '../explain-failure.ts';
import { hideWent, type ShownWent } from './shown-went.ts';
import css from './went-times-dialog.module.css';

/** The server undoes 'We went!' for a minute. A dialog that is open for longer takes it back before that ends. */
const TAKE_BACK_MS = 45_000;

type Times = Parameters<ShownWent['complete']>[0];

/**
 * 'When were we out?': changes the times of a date that 'We went!' completed, by undoing it and completing it again. The
 * undo happens with 'Save', or earlier if the minute for it is about to end or the page is hidden. 'Cancel' then
 * completes the date again as it was.
 */
export function WentTimesDialog({ went }: { went: ShownWent }) {
  const { date } = went;
  const title = useId();
  const zone = deviceZone();
  const dialog = useModal();
  const notify = useNotify();
  const [takeBack] = useState(() => new TakeBack(went));
  const [state, setState] = useState<'open' | 'saved' | 'closed'>('open');
  const [failure, setFailure] = useState<string | null>(null);
  // The notes stay as they are.
  const base: Pick<PlannedDate, 'actualStartTime' | 'notes'> = { actualStartTime: date.actualStartTime, notes: null };
  const form = useForm({
    defaultValues: wentFormOf(date, zone),
    resolver: withCompleteTimes(verdictResolver((values) => completeErrors(values, base, clock(), zone))),
    mode: 'all',
  });
  const { errors, isValid, isSubmitting } = useFormState({ control: form.control });
  const register = registerWithLateBlur(form);
  const max = completePickerMax(useNow(), zone);
  const duration = completeDurationText(
    useWatch({ control: form.control }) as ReturnType<typeof wentFormOf>,
    base,
    zone,
  );
  useEffect(() => {
    if (state !== 'open') dialog.current?.close();
  }, [state, dialog]);
  useEffect(() => takeBack.beforeItIsTooLate(), [takeBack]);

  const formProps = useFormProps(form, async (values) => {
    setFailure(null);
    try {
      setState((await changeTimes(went, takeBack, completeBody(values, base, zone))) ? 'saved' : 'closed');
    } catch (error) {
      setFailure(refusalOf(asApiError(error)) ?? 'Failed to save the times. Please try again.');
    }
  });
  const close = () => {
    if (state !== 'saved' && takeBack.hasBegun()) {
      completeAsBefore(went, takeBack).catch(() => notify.alert('Failed to complete date. Please try again.'));
    }
    hideWent(went);
  };
  return (
    <dialog ref={dialog} className={cx(sheet.dialog, css.dialog)} aria-labelledby={title} onClose={close}>
      <h2 className={sheet.question} id={title}>
        When were we out?
      </h2>
      <p className={css.date}>{date.dateIdea.title}</p>
      <Form {...formProps} className={css.form}>
        <Banner onDismiss={() => setFailure(null)} more="The times you chose are still here.">
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
        <div className={cx(sheet.actions, css.actions)}>
          <Button onClick={() => setState('closed')}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={!isValid} busy={isSubmitting}>
            Save
          </Button>
        </div>
      </Form>
    </dialog>
  );
}

/**
 * Takes the date back and completes it with other times.
 * @returns whether it was completed before. If not, that is shown already.
 * @throws ApiError the server refuses or can't be reached
 */
async function changeTimes(went: ShownWent, takeBack: TakeBack, times: Times): Promise<boolean> {
  try {
    if (!(await takeBack.now())) return false;
  } catch (refusal) {
    if (asApiError(refusal).status !== 409) throw refusal;
    // An earlier attempt may have arrived although its answer was lost. Then the date can be completed.
    await went.complete(times).catch(() => {
      throw refusal;
    });
    return true;
  }
  await went.complete(times);
  return true;
}

/**
 * Completes a date that was taken back for new times with the old ones.
 * @throws ApiError it may not be completed now
 */
async function completeAsBefore(went: ShownWent, takeBack: TakeBack): Promise<void> {
  // If the answer was lost, it may have been taken back too.
  if (!(await takeBack.latest().catch(() => true))) return;
  const { actualStartTime, actualEndTime } = went.date;
  try {
    await went.complete({
      actualStartTime: actualStartTime ?? '',
      actualEndTime: actualEndTime ?? formatInstant(clock()),
    });
  } catch (error) {
    // It is completed, or the partner did something else with it.
    if (asApiError(error).status !== 409) throw error;
  }
}

/** Undoes 'We went!' on demand, before the minute for it ends, or when the page is hidden. A failure may be repeated. */
class TakeBack {
  readonly #went: ShownWent;
  #latest: Promise<boolean> | null = null;
  #hasFailed = false;

  constructor(went: ShownWent) {
    this.#went = went;
  }

  /** Undoes it, unless that was done. */
  now(): Promise<boolean> {
    if (this.#latest === null || this.#hasFailed) {
      this.#hasFailed = false;
      this.#latest = this.#went.undo(true).catch((error: unknown) => {
        this.#hasFailed = true;
        throw error;
      });
    }
    return this.#latest;
  }

  hasBegun(): boolean {
    return this.#latest !== null;
  }

  /** The outcome of the latest attempt; false without one. */
  latest(): Promise<boolean> {
    return this.#latest ?? Promise.resolve(false);
  }

  /** Starts to watch the time. @returns a function that stops it */
  beforeItIsTooLate(): () => void {
    // If it fails, 'Save' tries again and says so.
    const start = () => void this.now().catch(() => undefined);
    const timer = setTimeout(start, Math.max(0, this.#went.at + TAKE_BACK_MS - clock()));
    // A hidden page may sleep through the timer.
    const hide = () => {
      if (document.hidden) start();
    };
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
    };
  }
}
