import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Reader, Writer } from './db/db.ts';
import type { StoreIdentityTable } from './db/tables.ts';
import type { Deps } from './deps.ts';

/** There is only one photo store, and so only one row. */
const NAME = 'photos';

/** The store's label: the id of its database and the number of sweeps. Newer versions may add fields. */
const labelSchema = z.object({ id: z.string().min(1).max(100), sweeps: z.int().nonnegative() });
type Label = z.output<typeof labelSchema>;

type StoreDeps = Pick<Deps, 'db' | 'files'>;

/**
 * How the database and the photo store belong together: `same`; `unclaimed` if the store has no label yet; `otherStore`
 * if it belongs to another database or lost its label; `olderDatabase` if a newer state of this database has swept the
 * store, so that this database was restored from an older copy or is a copy itself.
 */
export type Belonging = 'same' | 'unclaimed' | Mismatch;
type Mismatch = 'otherStore' | 'olderDatabase';

/** Why jobs must delete nothing: the database and the store don't belong together. Null if they do. */
export function mismatchOf(belonging: Belonging): Mismatch | null {
  return belonging === 'same' || belonging === 'unclaimed' ? null : belonging;
}

/**
 * Compares the database's identity with the store's label. Jobs that delete files call this first.
 * @throws the errors of the database or the store; the result is unknown then
 */
export async function belongingOf({ db, files }: StoreDeps): Promise<Belonging> {
  // Read the label first: another node may count a sweep now, first in the database and then in the store.
  const before = await files.readLabel();
  const identity = await identityOf(db);
  if (before === null && identity.claimedAt === null) return 'unclaimed';
  // Another node may have claimed the store between the two reads. It writes the label first.
  const text = before ?? (await files.readLabel());
  if (text === null) return 'otherStore';
  const label = parseLabel(text);
  if (label?.id !== identity.id) return 'otherStore';
  return label.sweeps > identity.sweeps ? 'olderDatabase' : 'same';
}

/** Claims an unlabeled store for this database. All nodes write the same identity. */
export async function claimStore({ db, files }: StoreDeps, now: number): Promise<void> {
  const { id, sweeps } = await identityOf(db);
  // The label comes first: a claim without a label would look like a store that lost it.
  await writeLabel(files, { id, sweeps });
  await db.write((tx) => update(tx, { claimedAt: now }));
}

/** Claims the store for this database, even if it belonged to another one: for operators and restores. */
export async function adoptStore({ db, files }: StoreDeps, now: number): Promise<void> {
  const { id, sweeps } = await identityOf(db);
  const label = parseLabel((await files.readLabel()) ?? '');
  const next = Math.max(sweeps, label?.sweeps ?? 0) + 1;
  await db.write((tx) => update(tx, { sweeps: next }));
  await writeLabel(files, { id, sweeps: next });
  await db.write((tx) => update(tx, { claimedAt: now }));
}

/** Counts a sweep, first in the database, so that the store is never ahead of its own database. */
export async function countSweep({ db, files }: StoreDeps): Promise<void> {
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
async function identityOf(db: Deps['db']): Promise<StoreIdentityTable> {
  const existing = await db.read.selectFrom('storeIdentity').selectAll().where('name', '=', NAME).executeTakeFirst();
  if (existing) return existing;
  return db.write(async (tx) => {
    await tx
      .insertInto('storeIdentity')
      .values({ name: NAME, id: randomUUID(), sweeps: 0, claimedAt: null })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return readIdentity(tx);
  });
}

function readIdentity(reader: Reader): Promise<StoreIdentityTable> {
  return reader.selectFrom('storeIdentity').selectAll().where('name', '=', NAME).executeTakeFirstOrThrow();
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
