import { fromLocalInput, toLocalInput } from '../base/calendar.ts';
import type { FormErrors } from '../base/form.ts';
import { cannotExceed, formErrors, textFault } from '../base/form.ts';
import { cleanText } from '../base/text.ts';
import { formatInstant, longDuration, minutesBetween } from '../base/time.ts';
import type { PlannedDate } from './contract.ts';
import { dateLimits, EARLIEST, END_AHEAD_MS, TIME_ERRORS } from './rules.ts';

/** What stands in the complete form: times as `datetime-local` values in the device's zone. */
export interface CompleteForm {
  readonly actualStartTime: string;
  readonly actualEndTime: string;
  readonly notes: string;
}

type Started = Pick<PlannedDate, 'actualStartTime' | 'notes'>;

/** The complete form as it opens: the recorded start, no end, the planned notes (spec 2, contract 5). */
export function completeFormOf(date: Started, zone: string): CompleteForm {
  return {
    actualStartTime: date.actualStartTime === null ? '' : toLocalInput(Date.parse(date.actualStartTime), zone),
    actualEndTime: '',
    notes: date.notes ?? '',
  };
}

/** The start that is meant: the one typed; left empty or untouched, the recorded one to the millisecond. */
function startOf(form: CompleteForm, date: Started, zone: string): number | null {
  const recorded = date.actualStartTime === null ? null : Date.parse(date.actualStartTime);
  const untouched = form.actualStartTime === '' || form.actualStartTime === completeFormOf(date, zone).actualStartTime;
  return untouched ? recorded : fromLocalInput(form.actualStartTime, zone);
}

/** What is wrong with an end, on both sides: it is after the start, and not ahead of now (contract 3). */
export function endTimeError(start: number | null, end: number, now: number): string | undefined {
  if (start !== null && end <= start) return TIME_ERRORS.endBeforeStart;
  return end > now + END_AHEAD_MS ? TIME_ERRORS.endAhead : undefined;
}

/** What is wrong with a start: as with planned times, it is of this century. */
export function startTimeError(start: number | null): string | undefined {
  return start !== null && start < EARLIEST ? TIME_ERRORS.startTooEarly : undefined;
}

/** The complete form's verdict (spec 5, Complete form). */
export function completeErrors(form: CompleteForm, date: Started, now: number, zone: string): FormErrors<CompleteForm> {
  const start = startOf(form, date, zone);
  const end = fromLocalInput(form.actualEndTime, zone);
  return formErrors<CompleteForm>({
    actualStartTime: startTimeError(start),
    actualEndTime: end === null ? 'End time is required' : endTimeError(start, end, now),
    notes: textFault(form.notes, { name: 'Notes', max: cannotExceed('Notes', dateLimits.notes) }),
  });
}

/** '2 hours 30 minutes', or why there is no duration yet (spec 2, Complete date). */
export function completeDurationText(form: CompleteForm, date: Started, zone: string): string {
  const start = startOf(form, date, zone);
  const end = fromLocalInput(form.actualEndTime, zone);
  if (start === null || end === null) return 'Duration will be calculated when both times are set';
  if (end <= start) return 'Invalid duration - end time must be after start time';
  return longDuration(minutesBetween(start, end));
}

/** The body of complete: a start left as it was is left out, notes go out where they changed, a blank clears them. */
export function completeBody(
  form: CompleteForm,
  date: Started,
  zone: string,
): { actualEndTime: string; actualStartTime?: string; notes?: string } {
  const start = startOf(form, date, zone);
  const end = fromLocalInput(form.actualEndTime, zone);
  const notes = cleanText(form.notes);
  const startChanged =
    start !== null && start !== (date.actualStartTime === null ? null : Date.parse(date.actualStartTime));
  return {
    actualEndTime: end === null ? form.actualEndTime : formatInstant(end),
    ...(startChanged ? { actualStartTime: formatInstant(start) } : {}),
    ...(notes === (date.notes ?? '') ? {} : { notes }),
  };
}
