import { useEffect, useId, useState } from 'react';
import { useForm, useFormState, useWatch } from 'react-hook-form';
import { formatInstant } from '../../../base/time.ts';
import { asApiError } from '../../../base/web/async.tsx';
import { withCompleteTimes } from '../../../base/web/complete-times.ts';
import { calmRegister, submits, verdictResolver } from '../../../base/web/form.ts';
import { clock, deviceZone, useNow } from '../../../base/web/now.ts';
import { cx } from '../../../kit/web/cx.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import sheet from '../../../kit/web/feedback/dialog.module.css';
import { useModal } from '../../../kit/web/feedback/use-modal.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { DateTimeField } from '../../../kit/web/forms/date-time-field.tsx';
import { Fields, Form } from '../../../kit/web/forms/fields.tsx';
import { completeBody, completeDurationText, completeErrors } from '../../complete-rules.ts';
import type { PlannedDate } from '../../contract.ts';
import { completePickerMax } from '../../quick-fills.ts';
import { wentFormOf } from '../../went-texts.ts';
import { DurationRow } from '../duration-row.tsx';
import { hideWent, type ShownWent } from './shown-went.ts';
import css from './went-times-dialog.module.css';

/** The server undoes 'We went!' for a minute. A dialog that is open for longer takes it back before that ends. */
const TAKE_BACK_MS = 45_000;

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
  const register = calmRegister(form);
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

  const { handlers } = submits(form, async (values) => {
    setFailure(null);
    const body = completeBody(values, base, zone);
    try {
      if (!(await takeBack.now())) return setState('closed');
      await went.complete(body);
      setState('saved');
    } catch (error) {
      const { status, said } = asApiError(error);
      setFailure((status === 0 ? null : said) ?? 'Failed to save the times. Please try again.');
    }
  });
  const close = () => {
    // A date that was taken back for new times is completed again with the old ones.
    if (state !== 'saved' && takeBack.hasBegun()) {
      const { actualStartTime, actualEndTime } = date;
      const times = { actualStartTime: actualStartTime ?? '', actualEndTime: actualEndTime ?? formatInstant(clock()) };
      void takeBack.now().then((isBack) => (isBack ? went.complete(times).catch(() => undefined) : undefined));
    }
    hideWent(went);
  };
  return (
    <dialog ref={dialog} className={cx(sheet.dialog, css.dialog)} aria-labelledby={title} onClose={close}>
      <h2 className={sheet.question} id={title}>
        When were we out?
      </h2>
      <p className={css.date}>{date.dateIdea.title}</p>
      <Form {...handlers} className={css.form}>
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

/** Undoes 'We went!' once: on demand, before the minute for it ends, or when the page is hidden. */
class TakeBack {
  readonly #went: ShownWent;
  #undone: Promise<boolean> | null = null;

  constructor(went: ShownWent) {
    this.#went = went;
  }

  now(): Promise<boolean> {
    this.#undone ??= this.#went.undo();
    return this.#undone;
  }

  hasBegun(): boolean {
    return this.#undone !== null;
  }

  /** Starts to watch the time. @returns a function that stops it */
  beforeItIsTooLate(): () => void {
    const timer = setTimeout(() => void this.now(), Math.max(0, this.#went.at + TAKE_BACK_MS - clock()));
    // A hidden page may sleep through the timer.
    const hide = () => {
      if (document.hidden) void this.now();
    };
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
    };
  }
}
