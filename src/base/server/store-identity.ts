import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Reader, Writer } from './db/db.ts';
import type { StoreIdentityTable } from './db/tables.ts';
import type { Deps } from './deps.ts';

/** There is one photo store, and so one row. */
const NAME = 'photos';

/** What the store's label says: whose it is, and how often it was swept. Anything else in it is for a newer version. */
const labelSchema = z.object({ id: z.string().min(1).max(100), sweeps: z.int().nonnegative() });
type Label = z.output<typeof labelSchema>;

type Both = Pick<Deps, 'db' | 'files'>;

/**
 * How the database and the photo store belong together: `same`; `unclaimed` where the store has no label yet;
 * `otherStore` where it belongs to another database, or lost its label; `olderDatabase` where a newer state of this
 * database has swept the store, so that this one was put back from an older copy, or is a copy itself.
 */
export type Belonging = 'same' | 'unclaimed' | 'otherStore' | 'olderDatabase';

/**
 * Compares the identity of the database with the label of the store. What deletes files by itself asks this first.
 * @throws what the database or the store throws: then nothing is known
 */
export async function belongingOf({ db, files }: Both): Promise<Belonging> {
  // In this order: another node may count a sweep meanwhile, first in the database and then in the store.
  const text = await files.readLabel();
  const identity = await identityOf(db);
  if (text === null) return identity.claimedAt === null ? 'unclaimed' : 'otherStore';
  const label = parseLabel(text);
  if (label?.id !== identity.id) return 'otherStore';
  return label.sweeps > identity.sweeps ? 'olderDatabase' : 'same';
}

/** Makes an unclaimed store this database's. All nodes of a database write the same identity. */
export async function claimStore({ db, files }: Both, now: number): Promise<void> {
  const { id, sweeps } = await identityOf(db);
  // The label comes first: a claim without a label would look like a store that lost it.
  await writeLabel(files, { id, sweeps });
  await db.write((tx) => update(tx, { claimedAt: now }));
}

/** Makes the store this database's, whosever it was: for an operator who says so, and for a restore. */
export async function adoptStore({ db, files }: Both, now: number): Promise<void> {
  const { id, sweeps } = await identityOf(db);
  const label = parseLabel((await files.readLabel()) ?? '');
  const next = Math.max(sweeps, label?.sweeps ?? 0) + 1;
  await db.write((tx) => update(tx, { sweeps: next }));
  await writeLabel(files, { id, sweeps: next });
  await db.write((tx) => update(tx, { claimedAt: now }));
}

/** Counts a sweep: in the database first, so that the store is never ahead of the database that it belongs to. */
export async function countSweep({ db, files }: Both): Promise<void> {
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

/** The database's identity, made the first time it is asked for; whichever node is first, all get the same. */
async function identityOf(db: Deps['db']): Promise<StoreIdentityTable> {
  const there = await db.read.selectFrom('storeIdentity').selectAll().where('name', '=', NAME).executeTakeFirst();
  if (there) return there;
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
