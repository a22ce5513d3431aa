import type { CoupleId } from '../../../base/ids.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { ImportedFilesTable } from '../../../base/server/db/tables/tables.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { attempt } from '../../../base/server/jobs/attempt.ts';
import { DAY } from '../../../base/time.ts';
import { nameOf } from '../../../memories/server/names.ts';
import { knownFileNames } from '../../../memories/server/pending-file-store.ts';
import { BackupError } from '../backup/backup-error.ts';

/** When the sweep removes what an import has left: none takes as long. */
const MAX_AGE_MS = 7 * DAY;
/** Files per round of the sweep. */
const BATCH = 500;

/**
 * The photographs of an import: each gets a row before it is stored, and the commit deletes the rows. So the sweep finds
 * what a killed import has left. All rows have the same time; those that the sweep has taken over have another.
 */
export class ImportedFiles {
  readonly #deps: Pick<Deps, 'db' | 'files' | 'now'>;
  readonly #coupleId: CoupleId;
  readonly #added: string[] = [];
  #rows = 0;
  #since = 0;

  constructor(deps: Pick<Deps, 'db' | 'files' | 'now'>, coupleId: CoupleId) {
    this.#deps = deps;
    this.#coupleId = coupleId;
  }

  /** Takes over the rows of an import of the same story that was killed, so that its photographs stay. */
  async begin(): Promise<void> {
    const { db, now } = this.#deps;
    this.#since = now();
    const { numUpdatedRows } = await db.write((tx) =>
      tx
        .updateTable('importedFiles')
        .set({ createdAt: this.#since })
        .where('coupleId', '=', this.#coupleId)
        .executeTakeFirst(),
    );
    this.#rows = Number(numUpdatedRows);
  }

  /** Adds the row of a photograph that is about to be stored. */
  async add(fileName: string): Promise<void> {
    const { db } = this.#deps;
    const row = { coupleId: this.#coupleId, fileName, createdAt: this.#since };
    const { numInsertedOrUpdatedRows = 0n } = await db.write((tx) =>
      tx
        .insertInto('importedFiles')
        .values(row)
        .onConflict((conflict) => conflict.columns(['coupleId', 'fileName']).doNothing())
        .executeTakeFirst(),
    );
    this.#rows += Number(numInsertedOrUpdatedRows);
    this.#added.push(fileName);
  }

  /** Deletes the rows, in the transaction that inserts the memories. @throws BackupError if a sweep has taken one over */
  async settle(tx: Writer): Promise<void> {
    const { numDeletedRows } = await tx
      .deleteFrom('importedFiles')
      .where('coupleId', '=', this.#coupleId)
      .where('createdAt', '=', this.#since)
      .executeTakeFirst();
    if (numDeletedRows === BigInt(this.#rows)) return;
    throw new BackupError('What an earlier import left was removed meanwhile. Nothing was imported; try again.');
  }

  /** Removes the photographs that were added. Call it only if nothing was committed. */
  async undo(): Promise<void> {
    for (const fileName of this.#added) await removeFile(this.#deps, this.#coupleId, fileName);
  }
}

/** Removes the photographs that killed imports have left, a week after they began. */
export async function sweepImports(deps: Deps, mayContinue: () => boolean): Promise<void> {
  const { db, now } = deps;
  const before = now() - MAX_AGE_MS;
  const left = await db.read
    .selectFrom('importedFiles')
    .selectAll()
    .where('createdAt', '<', before)
    .limit(BATCH)
    .execute();
  for (const file of left) {
    if (!mayContinue()) return;
    const undone = 'a photograph of a killed import was not removed';
    await attempt(deps, file.coupleId, undone, () => sweepFile(deps, file));
  }
}

async function sweepFile(deps: Deps, { coupleId, fileName, createdAt }: ImportedFilesTable): Promise<void> {
  const { db, now } = deps;
  // The import was killed after it had written its memories. A repeated one goes on from both.
  if ((await knownFileNames(db.read, coupleId, [fileName])).size > 0) return;
  // The row stays until the file is gone. An import that continues right now finds that its row has changed.
  const { numUpdatedRows } = await db.write((tx) =>
    tx
      .updateTable('importedFiles')
      .set({ createdAt: now() })
      .where('coupleId', '=', coupleId)
      .where('fileName', '=', fileName)
      .where('createdAt', '=', createdAt)
      .executeTakeFirst(),
  );
  if (numUpdatedRows === 1n) await removeFile(deps, coupleId, fileName);
}

/** Removes an imported photograph, unless a memory has it, then its row. */
async function removeFile(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  coupleId: CoupleId,
  fileName: string,
): Promise<void> {
  if ((await knownFileNames(db.read, coupleId, [fileName])).size === 0) await files.remove(nameOf(coupleId, fileName));
  await db.write((tx) =>
    tx.deleteFrom('importedFiles').where('coupleId', '=', coupleId).where('fileName', '=', fileName).execute(),
  );
}
