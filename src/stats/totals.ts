import { compactDuration, longDuration } from '../base/time.ts';

/** What is said where there is no time (spec 2, contract 3). */
export const NO_TIME = '0 hours';

/** '3h 20m', or '0 hours' where there is no time: in answers, chart labels and table cells. */
export function formatTotal(minutes: number): string {
  return minutes === 0 ? NO_TIME : compactDuration(minutes);
}

/** '3 hours 20 minutes', or '0 hours' where there is no time: everywhere else on screens (contract 5). */
export function totalText(minutes: number): string {
  return minutes === 0 ? NO_TIME : longDuration(minutes);
}
