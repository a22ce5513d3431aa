import { DAY } from '../../../base/durations.ts';
import type { CoupleId } from '../../../base/ids.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import { inOrderAfter } from '../../../base/server/db/in-order-after.ts';
import { readRowByRow } from '../../../base/server/db/read-in-batches.ts';
import type { ImportedFilesTable } from '../../../base/server/db/tables/tables.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { attemptForCouple } from '../../../base/server/jobs/attempt-for-couple.ts';
import { withLease } from '../../../base/server/jobs/lease.ts';
import { knownFileNames } from '../../../memories/server/pending-file-store.ts';
import { nameOf } from '../../../memories/server/stored-names.ts';

/** When the sweep removes what a killed import has left, unless the import is repeated before. */
const MAX_AGE_MS = 7 * DAY;

/**
 * The photographs of an import: each gets a row before it is stored, and the commit deletes the rows. So the sweep finds
 * what a killed import has left. Both work only while they hold the lease of imports.
 */
export class ImportedFiles {
  readonly #deps: Pick<Deps, 'db' | 'files' | 'now'>;
  readonly #coupleId: CoupleId;
  readonly #added: string[] = [];

  constructor(deps: Pick<Deps, 'db' | 'files' | 'now'>, coupleId: CoupleId) {
    this.#deps = deps;
    this.#coupleId = coupleId;
  }

  /** Adds the row of a photograph that is about to be stored. */
  async add(fileName: string): Promise<void> {
    const { db, now } = this.#deps;
    await db.write((tx) =>
      tx
        .insertInto('importedFiles')
        .values({ coupleId: this.#coupleId, fileName, createdAt: now() })
        .onConflict((conflict) => conflict.columns(['coupleId', 'fileName']).doNothing())
        .execute(),
    );
    this.#added.push(fileName);
  }

  /** Deletes the rows, in the transaction that completes the import. */
  async settle(tx: Writer): Promise<void> {
    await tx.deleteFrom('importedFiles').where('coupleId', '=', this.#coupleId).execute();
  }

  /** Removes the photographs that were added. Call it only if nothing was committed. */
  async undo(): Promise<void> {
    for (const fileName of this.#added) await removeFile(this.#deps, this.#coupleId, fileName);
  }
}

/** Removes the photographs that killed imports have left, a week after they were stored. */
export async function sweepImports(deps: Deps, mayContinue: () => boolean): Promise<void> {
  const { db, now } = deps;
  const readOld = (after: ImportedFilesTable | null, limit: number) => {
    const old = db.read
      .selectFrom('importedFiles')
      .selectAll()
      .where('createdAt', '<', now() - MAX_AGE_MS);
    return inOrderAfter(old, ['coupleId', 'fileName'], after && [after.coupleId, after.fileName])
      .limit(limit)
      .execute();
  };
  if ((await readOld(null, 1)).length === 0) return;
  // A running import may go on from what a killed one has left.
  await withLease(deps, 'import', async ({ isHeld }) => {
    for await (const file of readRowByRow(readOld)) {
      if (!isHeld() || !mayContinue()) return;
      const undone = 'a photograph of a killed import was not removed';
      await attemptForCouple(deps, file.coupleId, undone, () => sweepFile(deps, file));
    }
  });
}

async function sweepFile(deps: Deps, { coupleId, fileName }: ImportedFilesTable): Promise<void> {
  // The import was killed after it had written its memories. A repeated one goes on from both.
  if ((await knownFileNames(deps.db.read, coupleId, [fileName])).size > 0) return;
  await removeFile(deps, coupleId, fileName);
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
