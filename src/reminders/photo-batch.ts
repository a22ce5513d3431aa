import { MINUTE } from '../base/durations.ts';

/** Added photographs are announced together: when none came for 3 minutes, or the first is 20 minutes old. */
export const PHOTO_BATCH = { quietMs: 3 * MINUTE, maxMs: 20 * MINUTE } as const;

/** Whether to announce added photographs now. */
export function isBatchComplete(added: { readonly firstAt: number; readonly lastAt: number }, now: number): boolean {
  return now - added.lastAt >= PHOTO_BATCH.quietMs || now - added.firstAt >= PHOTO_BATCH.maxMs;
}
