import { cleanText } from '../base/clean-text.ts';
import { longDuration, minutesBetween } from '../base/durations.ts';
import type { FormErrors } from '../base/form-errors.ts';
import { cannotExceed, formErrors, textFault } from '../base/form-errors.ts';
import { formatInstant } from '../base/instants.ts';
import { fromLocalInput, toLocalInput } from '../base/local-input.ts';
import type { PlannedDate } from './contract.ts';
import { OPTIONAL_TEXTS } from './optional-texts.ts';
import { EARLIEST, END_AHEAD_MS, TIME_ERRORS } from './rules.ts';

/** The values of the complete form. Times are `datetime-local` values in the device's zone. */
export interface CompleteForm {
  readonly actualStartTime: string;
  readonly actualEndTime: string;
  readonly notes: string;
}

type Started = Pick<PlannedDate, 'actualStartTime' | 'notes'>;

/** The initial values of the complete form: the recorded start, no end, the planned notes (dates.complete.1). */
export function completeFormOf(date: Started, zone: string): CompleteForm {
  return {
    actualStartTime: date.actualStartTime === null ? '' : toLocalInput(Date.parse(date.actualStartTime), zone),
    actualEndTime: '',
    notes: date.notes ?? '',
  };
}

/** The start to save: the typed one or, if the field is empty or unchanged, the recorded one to the millisecond. */
function startOf(form: CompleteForm, date: Started, zone: string): number | null {
  const recorded = date.actualStartTime === null ? null : Date.parse(date.actualStartTime);
  const isUnchanged =
    form.actualStartTime === '' || form.actualStartTime === completeFormOf(date, zone).actualStartTime;
  return isUnchanged ? recorded : fromLocalInput(form.actualStartTime, zone);
}

/** The error message for an end time, used by server and page: it must be after the start and not in the future. */
export function endTimeError(start: number | null, end: number, now: number): string | undefined {
  if (start !== null && end <= start) return TIME_ERRORS.endBeforeStart;
  return end > now + END_AHEAD_MS ? TIME_ERRORS.endAhead : undefined;
}

/** The error message for a start time. Like a planned time, it must not be before the year 2000. */
export function startTimeError(start: number | null): string | undefined {
  return start !== null && start < EARLIEST ? TIME_ERRORS.startTooEarly : undefined;
}

/** Validates the complete form. */
export function completeErrors(form: CompleteForm, date: Started, now: number, zone: string): FormErrors<CompleteForm> {
  const start = startOf(form, date, zone);
  const end = fromLocalInput(form.actualEndTime, zone);
  return formErrors<CompleteForm>({
    actualStartTime: startTimeError(start),
    actualEndTime: end === null ? 'End time is required' : endTimeError(start, end, now),
    notes: textFault(form.notes, { name: 'Notes', max: cannotExceed('Notes', OPTIONAL_TEXTS.notes.max) }),
  });
}

/** The duration, such as '2 hours 30 minutes', or why it is not known yet. */
export function completeDurationText(form: CompleteForm, date: Started, zone: string): string {
  const start = startOf(form, date, zone);
  const end = fromLocalInput(form.actualEndTime, zone);
  if (start === null || end === null) return 'Duration will be calculated when both times are set';
  if (end <= start) return 'Invalid duration - end time must be after start time';
  return longDuration(minutesBetween(start, end));
}

/** The request body of complete. It omits an unchanged start and unchanged notes; blank notes clear the stored ones. */
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
