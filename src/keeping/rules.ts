import { DAY, HOUR } from '../base/durations.ts';

/** Hours of the nightly jobs, by the server's clock. */
export const NIGHT = { from: 2, to: 5 } as const;

/**
 * Whether a nightly job is due: the first time immediately, then each night, or at any hour if the machine was off at
 * night.
 * @param doneAt start of the last successful run in milliseconds, or null
 * @param hour the server's local hour, 0 to 23
 */
export function isNightlyJobDue(doneAt: number | null, now: number, hour: number): boolean {
  if (doneAt === null) return true;
  const age = now - doneAt;
  // The clock was wrong then, or is wrong now. An extra run does no harm.
  if (age < -DAY) return true;
  const isNight = hour >= NIGHT.from && hour < NIGHT.to;
  return age >= 27 * HOUR || (isNight && age >= 20 * HOUR);
}

/** How many photographs to scrub per hour, so that a full pass takes at most thirty days. */
export function scrubBatchSize(photographs: number): number {
  return Math.max(5, Math.ceil(photographs / (30 * 24)));
}

/** How long an export's download path is valid. The browser follows it immediately. */
export const EXPORT_PATH_MS = 60_000;
