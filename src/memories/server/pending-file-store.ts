import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { inOrderAfter } from '../../base/server/db/in-order-after.ts';
import { MOST_VALUES } from '../../base/server/db/most-values.ts';

/** A row has three values. A date may have more photos. */
const ROWS_PER_INSERT = MOST_VALUES / 3;

/**
 * Adds pending files: the stems of photos whose files are about to be stored or removed. A row is added first, and deleted
 * in the transaction that completes the work. If the server dies in between, the sweep finds the files by the row.
 * @throws the database's error if a stem has a row already
 */
export async function addPendingFiles(
  tx: Writer,
  coupleId: CoupleId,
  { stems, now }: { stems: readonly string[]; now: number },
): Promise<void> {
  for (let at = 0; at < stems.length; at += ROWS_PER_INSERT) {
    const rows = stems.slice(at, at + ROWS_PER_INSERT).map((fileName) => ({ coupleId, fileName, createdAt: now }));
    await tx.insertInto('pendingFiles').values(rows).execute();
  }
}

/**
 * Adds one pending file, or renews it if another process has left it: a stem, or the name of one file that is made from an
 * original, so that this row outlives the removal of the photo's other files.
 */
export async function setPendingFile(
  tx: Writer,
  coupleId: CoupleId,
  { name, createdAt }: { name: string; createdAt: number },
): Promise<void> {
  await tx
    .insertInto('pendingFiles')
    .values({ coupleId, fileName: name, createdAt })
    .onConflict((conflict) => conflict.columns(['coupleId', 'fileName']).doUpdateSet({ createdAt }))
    .execute();
}

/** Deletes a pending-file row, no matter who added it. */
export async function removePendingFile(tx: Writer, coupleId: CoupleId, name: string): Promise<void> {
  await tx.deleteFrom('pendingFiles').where('coupleId', '=', coupleId).where('fileName', '=', name).execute();
}

/** Deletes one's own pending-file row. @returns false if a sweep has taken it over and removes the files */
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
 * Takes a pending-file row over before its files are removed, so that its upload can no longer delete it. The row stays,
 * so that the next sweep finds it if this node dies.
 * @returns false if it was deleted, or taken over by another node, in the meantime
 */
export async function takeOverPendingFile(
  tx: Writer,
  coupleId: CoupleId,
  { name, createdAt, now }: { name: string; createdAt: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('pendingFiles')
    .set({ createdAt: now })
    .where('coupleId', '=', coupleId)
    .where('fileName', '=', name)
    .where('createdAt', '=', createdAt)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A pending file of any couple. */
export interface PendingFile {
  readonly coupleId: CoupleId;
  /** A stem, or the name of one file that is made from an original. */
  readonly name: string;
  readonly createdAt: number;
}

/** The next pending files of all couples, after a given one, that are older than `before` (milliseconds). For the sweep only. */
export function oldPendingFiles(
  reader: Reader,
  before: number,
  after: PendingFile | null,
  limit: number,
): Promise<PendingFile[]> {
  const old = reader
    .selectFrom('pendingFiles')
    .select(['coupleId', 'fileName as name', 'createdAt'])
    .where('createdAt', '<', before);
  const key = after && [after.createdAt, after.coupleId, after.name];
  return inOrderAfter(old, ['createdAt', 'coupleId', 'fileName'], key).limit(limit).execute();
}

/** Which of these file names belong to a memory, also in the trash. */
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
