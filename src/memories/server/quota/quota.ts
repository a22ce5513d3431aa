import type { CoupleId } from '../../../base/ids.ts';
import type { Writer } from '../../../base/server/db/db.ts';

/** Marks a couple that may keep any number of bytes, whatever `QUOTA` says. */
const UNLIMITED = -1;

/**
 * How many bytes of originals a couple may keep.
 * @param own what the operator has set for the couple, as stored
 * @param usual `QUOTA`, or null
 * @returns null for no limit
 */
export function quotaOf(own: number | null, usual: number | null): number | null {
  if (own === null) return usual;
  return own === UNLIMITED ? null : own;
}

/** Sets the limit of one couple: bytes, none, or that of `QUOTA`. What it keeps already stays. */
export async function setQuota(tx: Writer, coupleId: CoupleId, limit: number | 'none' | 'default'): Promise<void> {
  const quotaBytes = limit === 'default' ? null : limit === 'none' ? UNLIMITED : limit;
  await tx.updateTable('couples').set({ quotaBytes }).where('id', '=', coupleId).execute();
}
