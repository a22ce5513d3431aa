import { DAY } from '../../../base/durations.ts';
import { Refusal } from '../../../base/refusal.ts';

/** The milliseconds until another mail may be queued, by the times of those of a day; 0 for now. */
export function mailWait(times: readonly number[], limit: number, now: number): number {
  const oldest = times[times.length - limit];
  return oldest === undefined ? 0 : Math.max(1, oldest + DAY - now);
}

/** @throws Refusal 429 */
export function throwIfTooManyMails(milliseconds: number): void {
  if (milliseconds === 0) return;
  throw new Refusal(429, 'Too many mails for one day. Please try again tomorrow.', {
    retryAfter: Math.ceil(milliseconds / 1000),
  });
}
