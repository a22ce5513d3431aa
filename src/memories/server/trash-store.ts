import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { inOrderAfter } from '../../base/server/db/in-order-after.ts';
import { isNotSuspended } from '../../base/server/db/is-not-suspended.ts';
import { subtractBytes } from './quota/kept-bytes.ts';
import type { MemoryRow } from './store.ts';

/** A memory that was deleted itself, and not with its date. */
export type TrashedMemory = MemoryRow & { deletedAt: number; deletedBy: UserId };

/** The memories that were deleted after `since` (milliseconds), latest first. */
export function trashedMemories(reader: Reader, coupleId: CoupleId, since: number): Promise<TrashedMemory[]> {
  return reader
    .selectFrom('memories')
    .selectAll()
    .where('coupleId', '=', coupleId)
    .where('deletedAt', '>', since)
    .orderBy('deletedAt', 'desc')
    .orderBy('id', 'desc')
    .$narrowType<{ deletedAt: number; deletedBy: UserId }>()
    .execute();
}

/** A memory that was deleted after `since`, or undefined. */
export function findTrashedMemory(
  reader: Reader,
  coupleId: CoupleId,
  { id, since }: { id: string; since: number },
): Promise<MemoryRow | undefined> {
  return reader
    .selectFrom('memories')
    .selectAll()
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('deletedAt', '>', since)
    .executeTakeFirst();
}

/** How many memories were deleted with each date, by date id. */
export async function countsInTrash(reader: Reader, coupleId: CoupleId): Promise<Map<string, number>> {
  const rows = await reader
    .selectFrom('memories')
    .select((eb) => ['dateId', eb.fn.countAll<number>().as('count')])
    .where('coupleId', '=', coupleId)
    .where('deletedAt', 'is', null)
    .where('dateDeletedAt', 'is not', null)
    .groupBy('dateId')
    .execute();
  return new Map(rows.map((row) => [row.dateId, Number(row.count)]));
}

/** Restores a memory from the trash. @returns whether it was there */
export async function takeFromTrash(tx: Writer, coupleId: CoupleId, id: string): Promise<boolean> {
  const result = await tx
    .updateTable('memories')
    .set({ deletedAt: null, deletedBy: null })
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('deletedAt', 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Restores the memories that were deleted with a date. Memories deleted before stay in the trash. */
export async function restoreMemoriesOf(tx: Writer, coupleId: CoupleId, dateId: string): Promise<void> {
  await tx
    .updateTable('memories')
    .set({ dateDeletedAt: null })
    .where('coupleId', '=', coupleId)
    .where('dateId', '=', dateId)
    .execute();
}

/** Permanently deletes a memory in the trash. @returns its file name, or undefined if it is not in the trash */
export async function eraseMemory(tx: Writer, coupleId: CoupleId, id: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('memories')
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('deletedAt', 'is not', null)
    .returning(['fileName', 'fileSizeBytes'])
    .executeTakeFirst();
  if (row !== undefined) await subtractBytes(tx, coupleId, row.fileSizeBytes);
  return row?.fileName;
}

/** Permanently deletes all memories of a date, including those deleted before it. @returns their file names */
export async function eraseMemoriesOf(tx: Writer, coupleId: CoupleId, dateId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('memories')
    .where('coupleId', '=', coupleId)
    .where('dateId', '=', dateId)
    .returning(['fileName', 'fileSizeBytes'])
    .execute();
  const bytes = rows.reduce((sum, { fileSizeBytes }) => sum + fileSizeBytes, 0);
  await subtractBytes(tx, coupleId, bytes);
  return rows.map((row) => row.fileName);
}

/** An entry of the trash, of any couple. */
export interface ExpiredEntry {
  readonly coupleId: CoupleId;
  readonly id: string;
  readonly deletedAt: number;
}

/**
 * The next memories or dates, after a given one, that were deleted at `until` (milliseconds) or before, of all couples that
 * are not suspended. For the sweep only.
 */
export function expiredEntries(
  reader: Reader,
  table: 'memories' | 'dates',
  until: number,
  after: ExpiredEntry | null,
  limit: number,
): Promise<ExpiredEntry[]> {
  const expired = reader
    // 'memories' stands for both tables, which have the same columns here.
    .selectFrom(table as 'memories')
    .select(['coupleId', 'id', 'deletedAt'])
    .where('deletedAt', '<=', until)
    .where(isNotSuspended(`${table}.coupleId`));
  return inOrderAfter(expired, ['deletedAt', 'coupleId', 'id'], after && [after.deletedAt, after.coupleId, after.id])
    .limit(limit)
    .$narrowType<{ deletedAt: number }>()
    .execute();
}

/**
 * Starts the thirty days of everything in the trash again, of one couple or of all (null). For data that comes from a
 * copy: its trash may hold what the copy is needed for, and would be emptied at once.
 */
export async function restartTrash(tx: Writer, coupleId: CoupleId | null, now: number): Promise<void> {
  for (const table of ['memories', 'dates'] as const) {
    // 'memories' stands for both tables, which have the same columns here.
    let update = tx
      .updateTable(table as 'memories')
      .set({ deletedAt: now })
      // Never earlier: the clock may be behind.
      .where('deletedAt', '<', now);
    if (coupleId !== null) update = update.where('coupleId', '=', coupleId);
    await update.execute();
  }
}

/**
 * Gives everything in a couple's trash more time, in milliseconds: that of a suspension, in which it stood still
 * (running.suspended.5).
 */
export async function extendTrash(tx: Writer, coupleId: CoupleId, by: number): Promise<void> {
  for (const table of ['memories', 'dates'] as const) {
    // 'memories' stands for both tables, which have the same columns here.
    await tx
      .updateTable(table as 'memories')
      .set(({ eb }) => ({ deletedAt: eb('deletedAt', '+', by) }))
      .where('coupleId', '=', coupleId)
      .where('deletedAt', 'is not', null)
      .execute();
  }
}
