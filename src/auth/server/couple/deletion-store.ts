import { sql } from 'kysely';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { inOrderAfter } from '../../../base/server/db/in-order-after.ts';
import { isNotSuspended } from '../../../base/server/db/is-not-suspended.ts';
import { tablePolicies } from '../../../base/server/db/tables/table-policies.ts';
import type { DeletionsTable, ErasuresTable, Tables } from '../../../base/server/db/tables/tables.ts';
import { authLimits } from '../../rules.ts';

/** All tables in deletion order: referencing tables first. */
const DELETION_ORDER = (Object.keys(tablePolicies) as (keyof Tables)[]).toReversed();

/** Their rows name stored files that are still to be removed, also after the couple's other rows are gone. */
const NAME_FILES: ReadonlySet<keyof Tables> = new Set(['erasures', 'importedFiles']);

function isKeyedBy(table: keyof Tables, column: string): boolean {
  return (tablePolicies[table].key as readonly string[]).includes(column);
}

/** Deletes a user and the user's own rows. The couple's shared data stays. */
export async function deleteUser(tx: Writer, coupleId: CoupleId, userId: UserId): Promise<void> {
  await tx.deleteFrom('codes').where('coupleId', '=', coupleId).where('forUser', '=', userId).execute();
  for (const table of DELETION_ORDER.filter((name) => isKeyedBy(name, 'userId'))) {
    await sql`delete from ${sql.table(table)} where ${sql.ref('coupleId')} = ${coupleId} and ${sql.ref('userId')} = ${userId}`.execute(
      tx,
    );
  }
  await tx.deleteFrom('users').where('coupleId', '=', coupleId).where('id', '=', userId).execute();
}

/** Deletes every row of a couple, from all slices. */
export async function deleteRows(tx: Writer, coupleId: CoupleId): Promise<void> {
  for (const table of DELETION_ORDER.filter((name) => isKeyedBy(name, 'coupleId') && !NAME_FILES.has(name))) {
    await sql`delete from ${sql.table(table)} where ${sql.ref('coupleId')} = ${coupleId}`.execute(tx);
  }
  await tx.deleteFrom('couples').where('id', '=', coupleId).execute();
}

/** Deletes every row of a couple, and records in `erasures` that its files must be deleted too. */
export async function deleteCouple(tx: Writer, coupleId: CoupleId, now: number): Promise<void> {
  await deleteRows(tx, coupleId);
  // A space that was restored and deleted again may still have its first row.
  await tx
    .insertInto('erasures')
    .values({ coupleId, createdAt: now })
    .onConflict((conflict) => conflict.column('coupleId').doNothing())
    .execute();
}

/** Reads the pending request to delete the space, if any. */
export function readDeletion(reader: Reader, coupleId: CoupleId): Promise<DeletionsTable | undefined> {
  return reader.selectFrom('deletions').selectAll().where('coupleId', '=', coupleId).executeTakeFirst();
}

export async function insertDeletion(
  tx: Writer,
  coupleId: CoupleId,
  request: Omit<DeletionsTable, 'coupleId'>,
): Promise<void> {
  await tx
    .insertInto('deletions')
    .values({ coupleId, ...request })
    .execute();
}

/** Withdraws a user's request. @returns false if this user has none */
export async function deleteDeletion(tx: Writer, coupleId: CoupleId, askedBy: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('deletions')
    .where('coupleId', '=', coupleId)
    .where('askedBy', '=', askedBy)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Starts the notice of every pending request again, as if it had been made now. */
export async function postponeDeletions(tx: Writer, now: number): Promise<void> {
  const dueAt = now + authLimits.deletionNotice;
  await tx.updateTable('deletions').set({ dueAt }).where('dueAt', '<', dueAt).execute();
}

/** The next of all couples that are not suspended, after a given one, whose notice period is over. For the sweep only. */
export function dueDeletions(
  reader: Reader,
  now: number,
  after: Pick<DeletionsTable, 'coupleId' | 'dueAt'> | null,
  limit: number,
): Promise<Pick<DeletionsTable, 'coupleId' | 'dueAt'>[]> {
  const due = reader
    .selectFrom('deletions')
    .select(['coupleId', 'dueAt'])
    .where('dueAt', '<=', now)
    .where(isNotSuspended('deletions.coupleId'));
  return inOrderAfter(due, ['dueAt', 'coupleId'], after && [after.dueAt, after.coupleId])
    .limit(limit)
    .execute();
}

/** Whether the couple exists. */
export async function hasCouple(reader: Reader, coupleId: CoupleId): Promise<boolean> {
  const row = await reader.selectFrom('couples').select('id').where('id', '=', coupleId).executeTakeFirst();
  return row !== undefined;
}

/** The next of the deleted couples, after a given one, whose files are not all deleted yet. For the sweep only. */
export function pendingErasures(
  reader: Reader,
  after: Pick<ErasuresTable, 'coupleId'> | null,
  limit: number,
): Promise<Pick<ErasuresTable, 'coupleId'>[]> {
  const all = reader.selectFrom('erasures').select('coupleId');
  return inOrderAfter(all, ['coupleId'], after && [after.coupleId])
    .limit(limit)
    .execute();
}

/** Whether a couple's space has been deleted, and its files are not all deleted yet. */
export async function isErased(reader: Reader, coupleId: CoupleId): Promise<boolean> {
  const row = await reader
    .selectFrom('erasures')
    .select('coupleId')
    .where('coupleId', '=', coupleId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteErasure(tx: Writer, coupleId: CoupleId): Promise<void> {
  await tx.deleteFrom('erasures').where('coupleId', '=', coupleId).execute();
}
