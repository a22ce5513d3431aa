import { DAY, HOUR } from '../base/time.ts';

/** When a backup is made by itself: in the small hours of the server's own clock, when nobody looks at photographs. */
export const NIGHT = { from: 2, to: 5 } as const;

/**
 * Whether a nightly backup is due: the first one at once; then each night; and at any hour where the machine slept
 * through the night.
 * @param doneAt when the last one was begun that succeeded, or null
 * @param hour of the day where the server stands
 */
export function isBackupDue(doneAt: number | null, now: number, hour: number): boolean {
  if (doneAt === null) return true;
  const age = now - doneAt;
  // The clock was wrong then, or is wrong now: rather a backup too many.
  if (age < -DAY) return true;
  const isNight = hour >= NIGHT.from && hour < NIGHT.to;
  return age >= 27 * HOUR || (isNight && age >= 20 * HOUR);
}

/** How many photographs are looked at in an hour, so that each one is within thirty days. */
export function scrubBatchSize(photographs: number): number {
  return Math.max(5, Math.ceil(photographs / (30 * 24)));
}

/** How long the path of an export is good: a browser follows it at once, since a download can carry no token. */
export const EXPORT_PATH_MS = 60_000;
