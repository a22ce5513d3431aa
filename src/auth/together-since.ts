import { DAY, HOUR } from '../base/durations.ts';
import { formatInstant } from '../base/instants.ts';

export const EARLIEST_TOGETHER_SINCE = '1900-01-01';

/** Tomorrow in the easternmost time zone, UTC+14: clocks and zones differ. */
export function latestTogetherSince(now: number): string {
  return formatInstant(now + DAY + 14 * HOUR).slice(0, 10);
}

/** The error message for the day since when two are together, such as `2019-06-01`, if any. */
export function togetherSinceFault(day: string, now: number): string | undefined {
  if (day < EARLIEST_TOGETHER_SINCE) return 'Together since cannot be before the year 1900';
  return day > latestTogetherSince(now) ? 'Together since cannot be in the future' : undefined;
}
