import type { CoupleId } from '../../base/ids.ts';
import type { Deps } from '../../base/server/deps.ts';

/** Logs that the reminders of one couple failed, which must not block the others. */
export function logCoupleError({ log }: Deps, coupleId: CoupleId, error: unknown): void {
  log.error({ err: error, couple: coupleId }, 'the reminders of a couple failed');
}
