import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Reader, Writer } from '../db/db.ts';
import { readOrCreate } from '../db/read-or-create.ts';
import type { StoreIdentityTable } from '../db/tables/tables.ts';
import type { Deps } from '../deps.ts';
import { StoreUnavailable } from './files.ts';

/** There is only one photo store, and so only one row. */
const NAME = 'photos';

/** The store's label: the id of its database and the number of sweeps. Newer versions may add fields. */
const labelSchema = z.object({ id: z.string().min(1).max(100), sweeps: z.int().nonnegative() });
type Label = z.output<typeof labelSchema>;

type StoreDeps = Pick<Deps, 'db' | 'files' | 'now'>;

/**
 * Why a photo store isn't the one of the database. `otherStore`: it belongs to another database, or has no label although
 * this database has claimed one. `olderDatabase`: a newer state of this database has swept it, so this one was restored
 * from an older copy, or is a copy itself.
 */
export type Mismatch = 'otherStore' | 'olderDatabase';

/** The text of each reason, for the log, `/readyz` and the commands. */
export const MISMATCHES: Readonly<Record<Mismatch, string>> = {
  otherStore: 'The photo store belongs to another database, or has no label that says whose it is.',
  olderDatabase: 'The database is older than the photo store: it was put back from a copy, or is a copy itself.',
};

/** What follows from a mismatch, for the log and `/readyz`. */
export const CONSEQUENCE = 'No photograph is taken and nothing is deleted.';

/** The photo store isn't the one of the database. */
export class WrongStore extends StoreUnavailable {
  override readonly name = 'WrongStore';

  constructor(reason: Mismatch) {
    super(`${MISMATCHES[reason]} ${CONSEQUENCE}`);
  }
}

/**
 * Compares the database's identity with the store's label. A new database claims its store first, and creates the bucket.
 * @returns null if they belong together
 * @throws the errors of the database or the store; the result is unknown then
 */
export async function findMismatch(deps: StoreDeps): Promise<Mismatch | null> {
  const { db, files } = deps;
  const identity = await identityOf(db);
  if (identity.claimedAt === null) await claimIfNew(deps);
  const label = parseLabel((await files.readLabel()) ?? '');
  if (label?.id !== identity.id) return 'otherStore';
  if (label.sweeps <= identity.sweeps) return null;
  // Another node may have counted a sweep meanwhile, first in the database and then in the store.
  return label.sweeps > (await identityOf(db)).sweeps ? 'olderDatabase' : null;
}

/**
 * Makes sure that photographs may be stored and files may be deleted.
 * @throws WrongStore if the store isn't the one of the database; the errors of the database or the store
 */
export async function assertOwnStore(deps: StoreDeps): Promise<void> {
  const mismatch = await findMismatch(deps);
  if (mismatch !== null) throw new WrongStore(mismatch);
}

/**
 * Creates and claims the store of a new database, at its start. A database with photographs must find its bucket: another
 * one would not have them.
 * @throws StoreUnavailable if the bucket can't be created
 */
export async function createPhotoStore(deps: StoreDeps): Promise<void> {
  const { claimedAt } = await identityOf(deps.db);
  if (claimedAt !== null) return;
  if ((await anyPhotograph(deps.db.read)) === undefined) await deps.files.create();
  // A store that does not respond is claimed by its first use.
  await claimIfNew(deps).catch(() => undefined);
}

function anyPhotograph(reader: Reader): Promise<{ coupleId: string; fileName: string } | undefined> {
  return reader.selectFrom('memories').select(['coupleId', 'fileName']).limit(1).executeTakeFirst();
}

/** Claims an unlabeled store for a database that has claimed none: one without photographs, or whose photographs it has. */
async function claimIfNew(deps: StoreDeps): Promise<void> {
  const { db, files, now } = deps;
  const photograph = await anyPhotograph(db.read);
  if (photograph === undefined) await files.create();
  else if ((await files.size(`${photograph.coupleId}/${photograph.fileName}`)) === null) return;
  if ((await files.readLabel()) !== null) return;
  const { id, sweeps } = await identityOf(db);
  // The label comes first: a claim without a label would look like a store that lost it.
  await writeLabel(files, { id, sweeps });
  await db.write((tx) => update(tx, { claimedAt: now() }));
}

/** Claims the store for this database, even if it belonged to another one: for operators and restores. */
export async function adoptStore({ db, files, now }: StoreDeps): Promise<void> {
  const { id, sweeps } = await identityOf(db);
  const label = parseLabel((await files.readLabel()) ?? '');
  const next = Math.max(sweeps, label?.sweeps ?? 0) + 1;
  await db.write((tx) => update(tx, { sweeps: next }));
  await writeLabel(files, { id, sweeps: next });
  await db.write((tx) => update(tx, { claimedAt: now() }));
}

/** Counts a sweep, first in the database, so that the store is never ahead of its own database. */
export async function countSweep({ db, files }: Pick<Deps, 'db' | 'files'>): Promise<void> {
  const { id, sweeps } = await db.write((tx) =>
    tx
      .updateTable('storeIdentity')
      .set((eb) => ({ sweeps: eb('sweeps', '+', 1) }))
      .where('name', '=', NAME)
      .returning(['id', 'sweeps'])
      .executeTakeFirstOrThrow(),
  );
  await writeLabel(files, { id, sweeps });
}

/** Returns the id of the database. A copy has the same id; a restored database gets its own. */
export async function databaseId(db: Deps['db']): Promise<string> {
  return (await identityOf(db)).id;
}

/** Returns the database's identity, and creates it on first use. All nodes get the same one. */
function identityOf(db: Deps['db']): Promise<StoreIdentityTable> {
  return readOrCreate(db, readIdentity, (tx) =>
    tx
      .insertInto('storeIdentity')
      .values({ name: NAME, id: randomUUID(), sweeps: 0, claimedAt: null })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  );
}

function readIdentity(reader: Reader): Promise<StoreIdentityTable | undefined> {
  return reader.selectFrom('storeIdentity').selectAll().where('name', '=', NAME).executeTakeFirst();
}

async function update(tx: Writer, changes: Partial<StoreIdentityTable>): Promise<void> {
  await tx.updateTable('storeIdentity').set(changes).where('name', '=', NAME).execute();
}

function writeLabel(files: Deps['files'], label: Label): Promise<void> {
  return files.writeLabel(`${JSON.stringify(label)}\n`);
}

function parseLabel(text: string): Label | null {
  try {
    return labelSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
