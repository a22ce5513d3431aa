import { sql } from 'kysely';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { tablePolicies } from '../../../base/server/db/table-policies.ts';
import type { DeletionsTable, Tables } from '../../../base/server/db/tables.ts';

/** All tables, those that refer to others first. */
const BACKWARDS = (Object.keys(tablePolicies) as (keyof Tables)[]).toReversed();

function isKeyedBy(table: keyof Tables, column: string): boolean {
  return (tablePolicies[table].key as readonly string[]).includes(column);
}

/** Deletes a user with all that is this user's alone. What the two made together stays. */
export async function deleteUser(tx: Writer, coupleId: CoupleId, userId: UserId): Promise<void> {
  await tx.deleteFrom('codes').where('coupleId', '=', coupleId).where('forUser', '=', userId).execute();
  for (const table of BACKWARDS.filter((name) => isKeyedBy(name, 'userId'))) {
    await sql`delete from ${sql.table(table)} where ${sql.ref('coupleId')} = ${coupleId} and ${sql.ref('userId')} = ${userId}`.execute(
      tx,
    );
  }
  await tx.deleteFrom('users').where('coupleId', '=', coupleId).where('id', '=', userId).execute();
}

/** Deletes every row of a couple, whichever slice made it, and remembers that its files are to go too. */
export async function deleteCouple(tx: Writer, coupleId: CoupleId, now: number): Promise<void> {
  for (const table of BACKWARDS.filter((name) => isKeyedBy(name, 'coupleId') && name !== 'erasures')) {
    await sql`delete from ${sql.table(table)} where ${sql.ref('coupleId')} = ${coupleId}`.execute(tx);
  }
  await tx.deleteFrom('couples').where('id', '=', coupleId).execute();
  // A space that was brought back and is deleted again may still have the row of the first time.
  await tx
    .insertInto('erasures')
    .values({ coupleId, createdAt: now })
    .onConflict((conflict) => conflict.column('coupleId').doNothing())
    .execute();
}

/** The wish to delete everything, if there is one. */
export function readDeletion(reader: Reader, coupleId: CoupleId): Promise<DeletionsTable | undefined> {
  return reader.selectFrom('deletions').selectAll().where('coupleId', '=', coupleId).executeTakeFirst();
}

export async function insertDeletion(
  tx: Writer,
  coupleId: CoupleId,
  wish: Omit<DeletionsTable, 'coupleId'>,
): Promise<void> {
  await tx
    .insertInto('deletions')
    .values({ coupleId, ...wish })
    .execute();
}

/** Takes a wish back. @returns false where there was none of this user's */
export async function deleteDeletion(tx: Writer, coupleId: CoupleId, askedBy: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('deletions')
    .where('coupleId', '=', coupleId)
    .where('askedBy', '=', askedBy)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** The couples whose notice has run out. */
export async function dueDeletions(reader: Reader, now: number): Promise<CoupleId[]> {
  const rows = await reader.selectFrom('deletions').select('coupleId').where('dueAt', '<=', now).execute();
  return rows.map((row) => row.coupleId);
}

/** Whether there is such a couple. */
export async function isCouple(reader: Reader, coupleId: CoupleId): Promise<boolean> {
  const row = await reader.selectFrom('couples').select('id').where('id', '=', coupleId).executeTakeFirst();
  return row !== undefined;
}

/** The couples whose files are still to go. */
export async function openErasures(reader: Reader): Promise<CoupleId[]> {
  return (await reader.selectFrom('erasures').select('coupleId').execute()).map((row) => row.coupleId);
}

export async function closeErasure(tx: Writer, coupleId: CoupleId): Promise<void> {
  await tx.deleteFrom('erasures').where('coupleId', '=', coupleId).execute();
}
