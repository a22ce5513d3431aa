import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { CACHES } from '../kept-here.ts';
import { DAY } from '../time.ts';
import { isOver, LAST_SEEN } from './device-store.ts';

/**
 * What the screens showed last, on this device alone (contract 5): the answers of a user's queries, for when the server
 * cannot be reached. It belongs to one user at a time, holds so many answers for so long, and goes when the session does.
 * Where the browser keeps nothing, nothing is kept, and no more comes of it.
 */
interface Seen {
  readonly owner: string;
  readonly at: number;
  readonly data: unknown;
}
interface Schema extends DBSchema {
  answers: { key: string; value: Seen; indexes: { at: number } };
  who: { key: 'last'; value: { readonly id: string } };
}

const AT_MOST = 200;
const KEPT_MS = 30 * DAY;

let opening: Promise<IDBPDatabase<Schema>> | null = null;

function open(): Promise<IDBPDatabase<Schema>> {
  opening ??= openDB<Schema>(LAST_SEEN, 1, {
    upgrade: (db) => {
      db.createObjectStore('answers').createIndex('at', 'at');
      db.createObjectStore('who');
    },
    // Whoever signs out, here or in another tab, deletes it, and must not be held up.
    blocking: (_, __, event) => {
      (event.target as IDBDatabase).close();
      opening = null;
    },
    terminated: () => {
      opening = null;
    },
  });
  return opening;
}

/** Somebody is here, and what is seen from now on is theirs; what another user of this device saw goes. */
export async function beginSeeing(user: { readonly id: string }): Promise<void> {
  if (isOver()) return;
  try {
    const db = await open();
    const last = await db.get('who', 'last');
    if (last !== undefined && last.id !== user.id)
      await Promise.all([db.clear('answers'), caches.delete(CACHES.thumbnails)]);
    await db.put('who', user, 'last');
    await dropOld(db);
    if (!isOver()) await caches.open(CACHES.thumbnails);
  } catch {
    // A browser that keeps nothing shows nothing while it is offline.
  }
}

async function dropOld(db: IDBPDatabase<Schema>): Promise<void> {
  const keys = await db.getAllKeysFromIndex('answers', 'at');
  const old = await db.getAllKeysFromIndex('answers', 'at', IDBKeyRange.upperBound(Date.now() - KEPT_MS));
  const surplus = keys.slice(0, Math.max(0, keys.length - AT_MOST));
  await Promise.all([...new Set([...old, ...surplus])].map((key) => db.delete('answers', key)));
}

/** The user who was here last, or null. */
export async function whoWasHere<User extends { readonly id: string }>(): Promise<User | null> {
  return ((await (await open()).get('who', 'last')) as User | undefined) ?? null;
}

/** Keeps what a query answered to a user. */
export async function keepSeen(owner: string, key: string, data: unknown): Promise<void> {
  if (isOver()) return;
  try {
    await (await open()).put('answers', { owner, at: Date.now(), data }, key);
  } catch {
    // As above.
  }
}

/** What a query answered last to this user; undefined where nothing is kept, or what is kept is too old. */
export async function findSeen(owner: string, key: string): Promise<unknown> {
  try {
    const seen = await (await open()).get('answers', key);
    return seen?.owner === owner && seen && Date.now() - seen.at < KEPT_MS ? seen.data : undefined;
  } catch {
    return undefined;
  }
}
