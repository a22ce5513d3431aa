import { authLimits } from './rules.ts';

/**
 * Applies a sliding-window rate limit of 15 minutes, or of `window` milliseconds, to one more attempt at `now`, after those at `times` (ascending milliseconds).
 * @returns if allowed, `times` with the attempts that still count and this one; otherwise `wait`, the milliseconds until
 * the next attempt is allowed
 */
export function addAttempt(
  times: readonly number[],
  now: number,
  limit: number = authLimits.tries,
  window: number = authLimits.triesWindow,
): { readonly wait: 0; readonly times: readonly number[] } | { readonly wait: number; readonly times: null } {
  // One far in the future comes from a clock that was wrong. It would count for as long as that clock was ahead.
  const counting = times.filter((time) => Math.abs(now - time) < window);
  const oldest = counting[counting.length - limit];
  if (oldest === undefined) return { wait: 0, times: [...counting, now] };
  return { wait: oldest + window - now, times: null };
}
