import { addDays } from '../base/calendar-days.ts';
import type { FormErrors } from '../base/form-errors.ts';
import { formErrors, orLess, textFault } from '../base/form-errors.ts';
import { dayOf, formatInstant } from '../base/instants.ts';
import { fromLocalInput } from '../base/local-input.ts';
import { eachOptionalText, filledTexts, type OptionalTextForm } from './optional-texts.ts';
import { pastTimeErrors } from './past-rules.ts';

/** What a form says happened. Times are `datetime-local` values in the device's zone. */
export interface RecordForm extends OptionalTextForm {
  readonly actualStartTime: string;
  readonly actualEndTime: string;
}

/** A button that fills both times: those of the day in 'Started'. */
export interface DayFill {
  readonly label: string;
  readonly start: string;
  readonly end: string;
}

/** The quick fills 'Evening', 'Afternoon' and 'Whole day' (dates.past.4). */
export function dayFills(
  { actualStartTime }: Pick<RecordForm, 'actualStartTime'>,
  now: number,
  zone: string,
): DayFill[] {
  const isKnown = fromLocalInput(actualStartTime, zone) !== null;
  const day = isKnown ? actualStartTime.slice(0, 10) : addDays(dayOf(now, zone), -1);
  return [
    { label: 'Evening', start: `${day}T19:00`, end: `${day}T22:00` },
    { label: 'Afternoon', start: `${day}T14:00`, end: `${day}T18:00` },
    { label: 'Whole day', start: `${day}T10:00`, end: `${day}T22:00` },
  ];
}

/** Reads a time of a form in milliseconds; null if it is empty or impossible. */
export type TimeReader = (form: RecordForm, field: 'actualStartTime' | 'actualEndTime') => number | null;

/** Validates what happened. `read` reads its two times. */
export function recordErrors(form: RecordForm, read: TimeReader, now: number): FormErrors<RecordForm> {
  const [start, end] = [read(form, 'actualStartTime'), read(form, 'actualEndTime')];
  // With one time missing, the other is still checked by itself.
  const times = pastTimeErrors({ actualStartTime: start ?? now, actualEndTime: end ?? Number.POSITIVE_INFINITY }, now);
  return formErrors<RecordForm>({
    actualStartTime: start === null ? 'Start time is required' : times.actualStartTime,
    actualEndTime: end === null ? 'End time is required' : start === null ? undefined : times.actualEndTime,
    ...eachOptionalText((name, { label, max }) => textFault(form[name], { name: label, max: orLess(label, max) })),
  });
}

/** What a request says happened. */
export function recordBodyOf(form: RecordForm, read: TimeReader) {
  /** An impossible time is sent as it is, so that the server refuses it. */
  const instant = (field: 'actualStartTime' | 'actualEndTime') => {
    const ms = read(form, field);
    return ms === null ? form[field] : formatInstant(ms);
  };
  return {
    actualStartTime: instant('actualStartTime'),
    actualEndTime: instant('actualEndTime'),
    ...filledTexts(form),
  };
}
