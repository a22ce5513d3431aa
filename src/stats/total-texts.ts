import { compactDuration, longDuration } from '../base/durations.ts';
import { plural } from '../base/number-texts.ts';

/** The text for zero minutes. */
export const NO_TIME = '0 hours';

/** Formats minutes as '3h 20m', or '0 hours' for none: in responses, chart labels and table cells. */
export function formatTotal(minutes: number): string {
  return minutes === 0 ? NO_TIME : compactDuration(minutes);
}

/** Formats minutes as '3 hours 20 minutes', or '0 hours' for none: everywhere else on screens (screens.words.6). */
export function totalText(minutes: number): string {
  return minutes === 0 ? NO_TIME : longDuration(minutes);
}

/** Formats the average for the statistics screen: '45 minutes', '2 hours', '2h 30m', '0 hours'. */
export function averageText(minutes: number): string {
  if (minutes === 0) return NO_TIME;
  if (minutes < 60) return plural(minutes, 'minute');
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : compactDuration(minutes);
}

/** 'No dates yet', '1 beautiful date', '12 beautiful dates' */
export function datesText(count: number): string {
  return count === 0 ? 'No dates yet' : plural(count, 'beautiful date');
}

/** 'No memories yet', '1 precious memory', '12 precious memories' */
export function memoriesText(count: number): string {
  return count === 0 ? 'No memories yet' : plural(count, 'precious memory', 'precious memories');
}
