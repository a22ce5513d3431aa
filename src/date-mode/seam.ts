import { longDuration, MINUTE, minutesBetween } from '../base/durations.ts';
import { startOf } from '../dates/start-of.ts';
import { minutesSinceStart, type RunningDate } from './running-date-times.ts';

/** Assumed duration of a date without a planned end, for the length of the thread. */
const DEFAULT_MINUTES = 120;
/** A stitch every ten minutes, a knot every hour. */
const STITCH_MINUTES = 10;
const KNOT_MINUTES = 60;

/** The length of the thread in minutes: what is planned, or what has passed if that is more. */
function seamMinutes(date: RunningDate, now: number): number {
  const start = startOf(date);
  const planned = date.endDateTime === null ? DEFAULT_MINUTES : (Date.parse(date.endDateTime) - start) / MINUTE;
  return Math.max(planned, minutesSinceStart(date, now), STITCH_MINUTES);
}

/** The thread that is sewn while we are out. Shares are of its whole length, 0 to 1. */
export interface Seam {
  /** How much is sewn: the needle is at its end. */
  readonly sewn: number;
  /** Where each stitch begins. */
  readonly stitches: readonly number[];
  /** Where each full hour has its knot. */
  readonly knots: readonly number[];
  /** Whether pencil dots show what is still planned. */
  readonly hasRest: boolean;
}

/** At most this many stitches are drawn: a date of days has longer ones. */
const MOST_STITCHES = 36;

export function seamOf(date: RunningDate, now: number): Seam {
  const passed = minutesSinceStart(date, now);
  const all = seamMinutes(date, now);
  const every = (minutes: number) => {
    const step = minutes * Math.max(1, Math.ceil(passed / minutes / MOST_STITCHES));
    return Array.from({ length: Math.ceil(passed / step) }, (_, index) => (index * step) / all);
  };
  return {
    sewn: passed / all,
    stitches: every(STITCH_MINUTES),
    knots: every(KNOT_MINUTES),
    hasRest: passed < all,
  };
}

/** What the seam shows, in words: '1 hour 42 minutes of about 2 hours 10 minutes'. */
export function seamText(date: RunningDate, now: number): string {
  const passed = longDuration(minutesSinceStart(date, now));
  if (date.endDateTime === null) return passed;
  const planned = minutesBetween(startOf(date), Date.parse(date.endDateTime));
  return planned > minutesSinceStart(date, now) ? `${passed} of about ${longDuration(planned)}` : passed;
}
