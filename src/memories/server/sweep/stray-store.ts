import type { CoupleId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import type { StraysTable } from '../../../base/server/db/tables.ts';
import { possibleFileNames, stemOf } from '../names.ts';

/** Both engines take some 32,000 values in one statement. */
const ROWS = 1_000;

/**
 * Which of these stems a couple still needs: those of its memories (shown or in the trash), of files about to be stored
 * or removed, and of pieces. One statement sees one moment: a stem that moves from one table to another is in it.
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

/** Whether a couple's files are about to be removed with all that was the couple's. */
export async function isErased(reader: Reader, coupleId: CoupleId): Promise<boolean> {
  const row = await reader
    .selectFrom('erasures')
    .select('coupleId')
    .where('coupleId', '=', coupleId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Marks those of these strays as seen that are recorded; answers their names. */
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

/** Records strays that were found; those that are recorded keep their time. */
export async function recordStrays(
  tx: Writer,
  coupleId: CoupleId,
  strays: readonly Omit<StraysTable, 'coupleId'>[],
): Promise<void> {
  for (let at = 0; at < strays.length; at += ROWS) {
    await tx
      .insertInto('strays')
      .values(strays.slice(at, at + ROWS).map((stray) => ({ coupleId, ...stray })))
      .onConflict((conflict) => conflict.columns(['coupleId', 'fileName']).doNothing())
      .execute();
  }
}

export async function deleteStray(tx: Writer, coupleId: CoupleId, fileName: string): Promise<void> {
  await tx.deleteFrom('strays').where('coupleId', '=', coupleId).where('fileName', '=', fileName).execute();
}

/** Forgets what a whole look over the store did not see as a stray: it has a row again, or is gone. Of all couples. */
export async function deleteUnseenStrays(tx: Writer, scannedAt: number): Promise<void> {
  await tx.deleteFrom('strays').where('seenAt', '<', scannedAt).execute();
}

/** Confirms all strays there are, of all couples. */
export async function confirmAll(tx: Writer, confirmedAt: number): Promise<void> {
  await tx.updateTable('strays').set({ confirmedAt }).where('confirmedAt', 'is', null).execute();
}

/** How many strays are recorded, of all couples. */
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

/** The next strays of any couple, after one, that were found and confirmed until an instant. */
export function dueStrays(
  reader: Reader,
  until: number,
  after: Pick<StraysTable, 'coupleId' | 'fileName'> | null,
  limit: number,
): Promise<StraysTable[]> {
  let query = reader
    .selectFrom('strays')
    .selectAll()
    .where('foundAt', '<=', until)
    .where((eb) => eb.or([eb('confirmedAt', 'is', null), eb('confirmedAt', '<=', until)]));
  if (after !== null) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('coupleId', 'fileName'), '>', tuple(after.coupleId, after.fileName)),
    );
  }
  return query.orderBy('coupleId').orderBy('fileName').limit(limit).execute();
}
