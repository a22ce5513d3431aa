import { sql } from 'kysely';
import type { CoupleId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import type { CouplesTable } from '../../../base/server/db/tables/tables.ts';
import type { Visibility } from '../../../base/server/visibility.ts';

/*
 * What the quota counts: the bytes of a couple's originals, with those in the trash. The number is in the couple's row, so
 * that uploads at the same time, also on several nodes, add to it one after the other. It is counted again each night.
 */

/**
 * Adds bytes to what a couple keeps, before their row is written. It holds the couple's row until the transaction ends.
 * @returns what the couple keeps then, and what the operator lets it keep, as stored
 */
export function addBytes(
  tx: Writer,
  coupleId: CoupleId,
  bytes: number,
): Promise<{ readonly photoBytes: number | null } & Pick<CouplesTable, 'quotaBytes'>> {
  return tx
    .updateTable('couples')
    .set({ photoBytes: sql<number>`coalesce("photoBytes", ${counted}) + cast(${bytes} as bigint)` })
    .where('id', '=', coupleId)
    .returning(['photoBytes', 'quotaBytes'])
    .executeTakeFirstOrThrow();
}

/** The bytes of the couple in the row that is updated. */
const counted = sql<number>`(select coalesce(cast(sum("fileSizeBytes") as bigint), 0) from "memories" where "memories"."coupleId" = "couples"."id")`;

/** Takes off the bytes of originals whose rows this transaction has deleted. What is not counted yet stays so. */
export async function subtractBytes(tx: Writer, coupleId: CoupleId, bytes: number): Promise<void> {
  await tx
    .updateTable('couples')
    .set(({ eb }) => ({ photoBytes: eb('photoBytes', '-', bytes) }))
    .where('id', '=', coupleId)
    .execute();
}

/** Counts what a couple keeps. @returns whether another number was stored */
export async function recount(tx: Writer, coupleId: CoupleId): Promise<boolean> {
  const couple = tx.updateTable('couples').where('id', '=', coupleId).returning('photoBytes');
  // The first update locks the row, so that no upload adds to the number until this transaction ends.
  const before = await couple.set(({ ref }) => ({ photoBytes: ref('photoBytes') })).executeTakeFirst();
  const after = await couple.set({ photoBytes: counted }).executeTakeFirst();
  return before !== undefined && before.photoBytes !== null && before.photoBytes !== after?.photoBytes;
}

/** What a partner may know that the couple keeps: without the photographs of hidden dates, with the trash. */
export async function readVisibleBytes(reader: Reader, { coupleId, hiddenDates }: Visibility): Promise<number> {
  const { bytes } = await reader
    .selectFrom('memories')
    .select(({ fn }) => fn.sum<number | string | null>('fileSizeBytes').as('bytes'))
    .where('coupleId', '=', coupleId)
    .$if(hiddenDates.length > 0, (query) => query.where('dateId', 'not in', hiddenDates))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** What the operator lets a couple keep, as stored, and what it keeps; undefined if it was deleted. */
export function readOwnQuota(reader: Reader, coupleId: CoupleId) {
  return reader
    .selectFrom('couples')
    .select(['quotaBytes', 'photoBytes'])
    .where('id', '=', coupleId)
    .executeTakeFirst();
}
