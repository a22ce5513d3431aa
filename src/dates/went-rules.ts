import { HOUR, MINUTE } from '../base/durations.ts';
import { endTimeError, startTimeError } from './complete-form.ts';
import type { DateStatus } from './rules.ts';
import { REFUSED } from './rules.ts';

/** The rules of 'We went!' and its undo. Times are in milliseconds. */

/** How long after 'We went!' it can be undone. */
const UNDO_MS = MINUTE;
/** Assumed duration of a date without a planned end. */
const DEFAULT_DURATION_MS = 2 * HOUR;

interface Planned {
  readonly status: DateStatus;
  readonly plannedDateTime: number;
  readonly endDateTime: number | null;
}

/** The times in the request; null where it has none. */
export interface GivenTimes {
  readonly actualStartTime: number | null;
  readonly actualEndTime: number | null;
}

/**
 * The times to save: the given ones, or else the planned ones. Without a planned end, the date lasted two hours. An end
 * that was not given is never later than now.
 */
export function wentTimes(date: Planned, given: GivenTimes, now: number): { start: number; end: number } {
  const start = given.actualStartTime ?? date.plannedDateTime;
  const planned = date.endDateTime ?? start + DEFAULT_DURATION_MS;
  return { start, end: given.actualEndTime ?? Math.min(planned, now) };
}

/** Why a date whose time has not passed can't be completed. */
export const STILL_TO_COME = 'This date is still to come.';

/** Why a planned date cannot be completed yet; undefined if its time has passed or it is no longer planned. */
export function tooEarlyError({ status, plannedDateTime }: Planned, now: number): string | undefined {
  const isToCome = status === 'Planned' && plannedDateTime >= now;
  return isToCome ? STILL_TO_COME : undefined;
}

/**
 * The error messages for the times, by the rules of complete. For a date that is no longer planned, the planned time may
 * be still to come, so only the given times are checked.
 */
export function wentErrors(
  date: Planned,
  given: GivenTimes,
  now: number,
): { actualStartTime: string | undefined; actualEndTime: string | undefined } {
  const { start, end } = wentTimes(date, given, now);
  const isEndKnown = date.status === 'Planned' || given.actualEndTime !== null;
  const startKnown = date.status === 'Planned' || given.actualStartTime !== null ? start : null;
  return {
    actualStartTime: startTimeError(startKnown),
    actualEndTime: isEndKnown ? endTimeError(startKnown, end, now) : undefined,
  };
}

/** What is stored of 'We went!', with the current version. `updatedAt` is when it was pressed. */
interface Went {
  readonly wentBy: string | null;
  readonly wentVersion: number | null;
  readonly version: number;
  readonly updatedAt: number;
}

/** Why a user can't undo 'We went!'; undefined if it can be undone. */
export function undoRefusal(date: Went, userId: string, now: number): string | undefined {
  if (date.wentVersion === null) return REFUSED.undoWent;
  if (date.wentVersion !== date.version) return 'This date has changed since, so ‘We went!’ cannot be undone.';
  if (date.wentBy !== userId) return 'Only the one of you who pressed ‘We went!’ can undo it.';
  return now > date.updatedAt + UNDO_MS ? '‘We went!’ can only be undone within a minute.' : undefined;
}
