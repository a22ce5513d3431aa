import { postponeDeletions } from '../../../auth/server/couple/deletion-store.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { adoptStore, findMismatch, type Mismatch } from '../../../base/server/files/store-identity.ts';
import { knownFileNames } from '../pending-file-store.ts';
import { partsOf } from '../stored-names.ts';
import { restartTrash } from '../trash-store.ts';
import { byCouple } from './orphans.ts';

type AdoptDeps = Pick<Deps, 'db' | 'files' | 'now'>;

/** What an operator needs to know before a photo store is given to a database. */
export interface StoreComparison {
  readonly mismatch: Mismatch | null;
  /** Photographs in the database, and how many of them the store has. */
  readonly photographs: number;
  readonly stored: number;
}

/** Compares the photographs of the database with the files of the store. */
export async function compareStore(deps: AdoptDeps): Promise<StoreComparison> {
  const { db, files } = deps;
  const mismatch = await findMismatch(deps);
  const { count } = await db.read
    .selectFrom('memories')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  let stored = 0;
  for await (const { coupleId, names } of byCouple(files.list())) {
    const fileNames = names.map((name) => partsOf(name).fileName);
    stored += (await knownFileNames(db.read, coupleId, fileNames)).size;
  }
  return { mismatch, photographs: Number(count), stored };
}

/**
 * Gives a photo store to this database, for an operator who has checked both. The trash, and the notice of spaces to be
 * deleted, start again: an older database may hold what was restored or withdrawn later. Its pending files may belong to
 * memories by now, so they are forgotten, and become orphans if they don't.
 */
export async function adoptForeignStore(deps: AdoptDeps): Promise<void> {
  const { db, now } = deps;
  // First, because the next sweep of a running server may follow at once.
  await db.write(async (tx) => {
    await restartTrash(tx, null, now());
    await postponeDeletions(tx, now());
    await tx.deleteFrom('pendingFiles').execute();
  });
  await adoptStore(deps);
}
