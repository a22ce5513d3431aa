import type { CoupleId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';

/** Suspends a space (running.suspended.1). One that is suspended already stays suspended since then. */
export async function suspendCouple(tx: Writer, coupleId: CoupleId, now: number): Promise<void> {
  await tx
    .updateTable('couples')
    .set({ suspendedAt: now })
    .where('id', '=', coupleId)
    .where('suspendedAt', 'is', null)
    .execute();
}

/**
 * Ends a suspension. A request to delete the space, which nobody could withdraw meanwhile, gets the time of the suspension
 * on top of its notice.
 * @returns how long it was suspended, in milliseconds; 0 if it was not
 */
export async function resumeCouple(tx: Writer, coupleId: CoupleId, now: number): Promise<number> {
  const since = await readSuspension(tx, coupleId);
  if (since === null) return 0;
  await tx.updateTable('couples').set({ suspendedAt: null }).where('id', '=', coupleId).execute();
  const lasted = Math.max(0, now - since);
  await tx
    .updateTable('deletions')
    .set(({ eb }) => ({ dueAt: eb('dueAt', '+', lasted) }))
    .where('coupleId', '=', coupleId)
    .execute();
  return lasted;
}

/** Since when a space is suspended, in milliseconds; null if it isn't, or does not exist. */
export async function readSuspension(reader: Reader, coupleId: CoupleId): Promise<number | null> {
  const couple = await reader.selectFrom('couples').select('suspendedAt').where('id', '=', coupleId).executeTakeFirst();
  return couple?.suspendedAt ?? null;
}
