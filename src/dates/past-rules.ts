import { endTimeError } from './complete-form.ts';
import { TIME_ERRORS } from './rules.ts';

/** The earliest start of a date that has happened. */
export const EARLIEST_PAST = Date.UTC(1900, 0, 1);

/** The message for a time that is still to come. */
export const STILL_AHEAD = 'This is still to come';

/** The times of a date that has happened, in milliseconds. */
interface PastTimes {
  readonly actualStartTime: number;
  readonly actualEndTime: number;
}

/**
 * The messages for the times of a date that has happened, for server and page (dates.past.2): it starts between 1900 and
 * now, and ends after that, at most five minutes ahead.
 */
export function pastTimeErrors(
  { actualStartTime: start, actualEndTime: end }: PastTimes,
  now: number,
): { actualStartTime: string | undefined; actualEndTime: string | undefined } {
  const ofStart = start < EARLIEST_PAST ? TIME_ERRORS.pastTooEarly : start > now ? STILL_AHEAD : undefined;
  const ofEnd = endTimeError(start, end, now);
  return { actualStartTime: ofStart, actualEndTime: ofEnd === TIME_ERRORS.endAhead ? STILL_AHEAD : ofEnd };
}

/** What a date plans and what happened, in milliseconds. */
interface Recorded {
  readonly plannedDateTime: number;
  readonly endDateTime: number | null;
  readonly actualStartTime: number | null;
}

/**
 * The planned times after the start is corrected (dates.record.2): if the plan was the same instant as the old start, it
 * follows, and its end moves by as much; else both stay.
 */
export function plannedAfterCorrection(
  { plannedDateTime, endDateTime, actualStartTime }: Recorded,
  start: number,
): Pick<Recorded, 'plannedDateTime' | 'endDateTime'> {
  if (plannedDateTime !== actualStartTime) return { plannedDateTime, endDateTime };
  const moved = start - plannedDateTime;
  return { plannedDateTime: start, endDateTime: endDateTime === null ? null : endDateTime + moved };
}
