import type { CoupleId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import type { StraysTable } from '../../../base/server/db/tables.ts';
import { possibleFileNames, stemOf } from '../names.ts';

/**
 * Which of these stems are in use: by a memory (also in the trash), a pending file, or a part of a resumable upload. It is
 * one statement, so that it also finds a stem that moves between tables at the same time.
 */
export async function neededStems(
  reader: Reader,
  coupleId: CoupleId,
  stems: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom('memories')
    .select('fileName as name')
    .where('coupleId', '=', coupleId)
    .where('fileName', 'in', stems.flatMap(possibleFileNames))
    .unionAll(
      reader
        .selectFrom('pendingFiles')
        .select('fileName as name')
        .where('coupleId', '=', coupleId)
        .where('fileName', 'in', stems),
    )
    .unionAll(
      reader.selectFrom('pieces').select('stem as name').where('coupleId', '=', coupleId).where('stem', 'in', stems),
    )
    .execute();
  return new Set(rows.map(({ name }) => (name.includes('.') ? stemOf(name) : name)));
}

/** Marks the recorded ones of these strays as seen. @returns their names */
export async function markStraysSeen(
  tx: Writer,
  coupleId: CoupleId,
  fileNames: readonly string[],
  seenAt: number,
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .updateTable('strays')
    .set({ seenAt })
    .where('coupleId', '=', coupleId)
    .where('fileName', 'in', fileNames)
    .returning('fileName')
    .execute();
  return new Set(rows.map(({ fileName }) => fileName));
}

/** Records at least one newly found stray. One that is already recorded keeps its time. */
export async function recordStrays(
  tx: Writer,
  coupleId: CoupleId,
  strays: readonly Omit<StraysTable, 'coupleId'>[],
): Promise<void> {
  await tx
    .insertInto('strays')
    .values(strays.map((stray) => ({ coupleId, ...stray })))
    .onConflict((conflict) => conflict.columns(['coupleId', 'fileName']).doNothing())
    .execute();
}

/** Deletes the record of a stray. @returns false if there is none any more */
export async function deleteStray(tx: Writer, coupleId: CoupleId, fileName: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('strays')
    .where('coupleId', '=', coupleId)
    .where('fileName', '=', fileName)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Deletes the records of a couple's strays. */
export async function deleteStraysOf(tx: Writer, coupleId: CoupleId): Promise<void> {
  await tx.deleteFrom('strays').where('coupleId', '=', coupleId).execute();
}

/** Deletes the records that a complete scan did not see as strays, for all couples: the file has a row again or is gone. */
export async function deleteUnseenStrays(tx: Writer, scannedAt: number): Promise<void> {
  await tx.deleteFrom('strays').where('seenAt', '<', scannedAt).execute();
}

/** Confirms all recorded strays of all couples. */
export async function confirmAll(tx: Writer, confirmedAt: number): Promise<void> {
  await tx.updateTable('strays').set({ confirmedAt }).where('confirmedAt', 'is', null).execute();
}

/** How many strays are recorded for all couples. */
export async function countStrays(reader: Reader): Promise<{
  strays: number;
  unconfirmed: number;
  unknownCouples: number;
}> {
  const { strays, unconfirmed, unknownCouples } = await reader
    .selectFrom('strays')
    .leftJoin('couples', 'couples.id', 'strays.coupleId')
    .select(({ fn, ref }) => [
      fn.countAll<number>().as('strays'),
      fn.countAll<number>().filterWhere('strays.confirmedAt', 'is', null).as('unconfirmed'),
      fn
        .count<number>(ref('strays.coupleId'))
        .distinct()
        .filterWhere('strays.confirmedAt', 'is', null)
        .filterWhere('couples.id', 'is', null)
        .as('unknownCouples'),
    ])
    .executeTakeFirstOrThrow();
  return { strays: Number(strays), unconfirmed: Number(unconfirmed), unknownCouples: Number(unknownCouples) };
}

/** The next strays of all couples, after a given one, that were found, and confirmed if at all, by `until`. */
export function dueStrays(
  reader: Reader,
  until: number,
  after: Pick<StraysTable, 'foundAt' | 'coupleId' | 'fileName'> | null,
  limit: number,
): Promise<StraysTable[]> {
  let query = reader
    .selectFrom('strays')
    .selectAll()
    .where('foundAt', '<=', until)
    .where((eb) => eb.or([eb('confirmedAt', 'is', null), eb('confirmedAt', '<=', until)]));
  if (after !== null) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('foundAt', 'coupleId', 'fileName'), '>', tuple(after.foundAt, after.coupleId, after.fileName)),
    );
  }
  return query.orderBy('foundAt').orderBy('coupleId').orderBy('fileName').limit(limit).execute();
}
