import { compactDuration, longDuration } from '../base/time.ts';

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
