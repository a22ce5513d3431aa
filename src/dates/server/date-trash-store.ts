import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';

/** Moves a date to the trash. The caller moves its memories through the photos port, in the same transaction. */
export async function trashDate(tx: Writer, coupleId: CoupleId, id: string, by: UserId, now: number): Promise<void> {
  await tx
    .updateTable('dates')
    .set({ deletedAt: now, deletedBy: by })
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .execute();
}

/** When a date was moved to the trash (milliseconds); undefined if it isn't there. */
export async function findTrashTime(reader: Reader, coupleId: CoupleId, id: string): Promise<number | undefined> {
  const date = await reader
    .selectFrom('dates')
    .select('deletedAt')
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .executeTakeFirst();
  return date?.deletedAt ?? undefined;
}

/** Restores a date from the trash. @returns false if it is not in the trash */
export async function restoreDate(tx: Writer, coupleId: CoupleId, id: string): Promise<boolean> {
  const restored = await tx
    .updateTable('dates')
    .set({ deletedAt: null, deletedBy: null })
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('deletedAt', 'is not', null)
    .executeTakeFirst();
  return restored.numUpdatedRows === 1n;
}

/** Permanently deletes a date in the trash, after its memories' rows. @returns false if it is not in the trash */
export async function eraseDate(tx: Writer, coupleId: CoupleId, id: string): Promise<boolean> {
  const erased = await tx
    .deleteFrom('dates')
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('deletedAt', 'is not', null)
    .executeTakeFirst();
  return erased.numDeletedRows === 1n;
}
