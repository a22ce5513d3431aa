import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { inOrderAfter } from '../../base/server/db/keyset.ts';

/** A row has three values, and both engines accept about 32,000 in one statement. A date may have more photos. */
const ROWS_PER_INSERT = 10_000;

/**
 * Adds pending files: the stems of photos whose files are about to be stored or removed. A row is added first, and deleted
 * in the transaction that completes the work. If the server dies in between, the sweep finds the files by the row.
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

/** Deletes a pending-file row, no matter who added it. */
export async function removePendingFile(tx: Writer, coupleId: CoupleId, stem: string): Promise<void> {
  await tx.deleteFrom('pendingFiles').where('coupleId', '=', coupleId).where('fileName', '=', stem).execute();
}

/** Deletes an upload's own pending-file row. @returns false if a sweep has taken it over and removes the files */
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

/** A pending file of any couple. */
export interface PendingFile {
  readonly coupleId: CoupleId;
  readonly stem: string;
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
    .select(['coupleId', 'fileName as stem', 'createdAt'])
    .where('createdAt', '<', before);
  const key = after && [after.createdAt, after.coupleId, after.stem];
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
