import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';

/**
 * Intents: the stems of photographs whose files are about to be stored, or to be removed. A row is written before, and
 * goes in the transaction that says how it ended; where a server dies between, the row leads the sweep to the files.
 */
export async function addPendingFiles(
  tx: Writer,
  coupleId: CoupleId,
  { stems, now }: { stems: readonly string[]; now: number },
): Promise<void> {
  if (stems.length === 0) return;
  await tx
    .insertInto('pendingFiles')
    .values(stems.map((fileName) => ({ coupleId, fileName, createdAt: now })))
    .execute();
}

/** Closes an intent, whoever opened it. */
export async function removePendingFile(tx: Writer, coupleId: CoupleId, stem: string): Promise<void> {
  await tx.deleteFrom('pendingFiles').where('coupleId', '=', coupleId).where('fileName', '=', stem).execute();
}

/** Closes an upload's own intent. @returns false where a sweep has taken it over: the files are being removed */
export async function removeOwnPendingFile(
  tx: Writer,
  coupleId: CoupleId,
  { stem, createdAt }: { stem: string; createdAt: number },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('pendingFiles')
    .where('coupleId', '=', coupleId)
    .where('fileName', '=', stem)
    .where('createdAt', '=', createdAt)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/**
 * Takes an intent over, before its files are removed: from then on its upload can not close it. It stays open, so that
 * the next sweep finds it if this node dies.
 * @returns false where it was closed, or taken over by another node, meanwhile
 */
export async function takeOverPendingFile(
  tx: Writer,
  coupleId: CoupleId,
  { stem, createdAt, now }: { stem: string; createdAt: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('pendingFiles')
    .set({ createdAt: now })
    .where('coupleId', '=', coupleId)
    .where('fileName', '=', stem)
    .where('createdAt', '=', createdAt)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A couple's open intents, oldest first. */
export async function listPendingFiles(
  reader: Reader,
  coupleId: CoupleId,
): Promise<{ stem: string; createdAt: number }[]> {
  const rows = await reader
    .selectFrom('pendingFiles')
    .select(['fileName as stem', 'createdAt'])
    .where('coupleId', '=', coupleId)
    .orderBy('createdAt')
    .execute();
  return rows;
}

/** Which of these file names belong to a memory: shown, or in the trash. */
export async function knownFileNames(
  reader: Reader,
  coupleId: CoupleId,
  fileNames: readonly string[],
): Promise<Set<string>> {
  const rows = await reader
    .selectFrom('memories')
    .select('fileName')
    .where('coupleId', '=', coupleId)
    .where('fileName', 'in', fileNames)
    .execute();
  return new Set(rows.map((row) => row.fileName));
}

/** Every couple there is: whose files a sweep looks through. */
export async function allCouples(reader: Reader): Promise<CoupleId[]> {
  return (await reader.selectFrom('couples').select('id').execute()).map((row) => row.id);
}
