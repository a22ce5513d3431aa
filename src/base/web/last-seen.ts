import type { DBSchema, IDBPDatabase } from 'idb';
import { DAY } from '../time.ts';
import { CACHES } from '../worker-contract.ts';
import { deviceDatabase, within } from './device-database.ts';
import { isOver, LAST_SEEN } from './device-store.ts';

/**
 * A query's last response, stored on this device for use without a connection (contract 5). The store belongs to one user
 * at a time, is limited in entries and age, and is deleted when the session ends. Without IndexedDB it does nothing.
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

const MAX_ENTRIES = 200;
const MAX_AGE_MS = 30 * DAY;

const open = deviceDatabase<Schema>(LAST_SEEN, 1, (db) => {
  db.createObjectStore('answers').createIndex('at', 'at');
  db.createObjectStore('who');
});

/** Starts storing responses for a user, and deletes those of another user of this device. */
export async function enableLastSeen(user: { readonly id: string }): Promise<void> {
  if (isOver()) return;
  void saveLastUser(user.id).catch(() => undefined);
  try {
    const db = await open();
    const last = await db.get('who', 'last');
    if (last !== undefined && last.id !== user.id)
      await Promise.all([db.clear('answers'), caches.delete(CACHES.thumbnails)]);
    await db.put('who', user, 'last');
    await dropOld(db);
    if (!isOver()) await caches.open(CACHES.thumbnails);
  } catch {
    // Without storage nothing is available offline.
  }
}

/** Tells the service worker who is signed in. Rejects without caches: then there is no worker either. */
async function saveLastUser(id: string): Promise<void> {
  const cache = await caches.open(CACHES.lastUser);
  await cache.put(`/${CACHES.lastUser}`, new Response(id));
}

async function dropOld(db: IDBPDatabase<Schema>): Promise<void> {
  const keys = await db.getAllKeysFromIndex('answers', 'at');
  const old = await db.getAllKeysFromIndex('answers', 'at', IDBKeyRange.upperBound(Date.now() - MAX_AGE_MS));
  const surplus = keys.slice(0, Math.max(0, keys.length - MAX_ENTRIES));
  await Promise.all([...new Set([...old, ...surplus])].map((key) => db.delete('answers', key)));
}

/** Returns the last signed-in user; null without one, and if this device cannot read it in time. */
export async function readLastUser<User extends { readonly id: string }>(): Promise<User | null> {
  const reading = open().then((db) => db.get('who', 'last'));
  return ((await within(reading.catch(() => undefined))) as User | undefined) ?? null;
}

/** Stores a query's response for a user. */
export async function saveLastSeen(owner: string, key: string, data: unknown): Promise<void> {
  if (isOver()) return;
  try {
    await (await open()).put('answers', { owner, at: Date.now(), data }, key);
  } catch {
    // Without storage nothing is available offline.
  }
}

/** Returns a query's last response for this user; undefined if there is none, it is too old, or it cannot be read in time. */
export async function findLastSeen(owner: string, key: string): Promise<unknown> {
  const reading = open().then((db) => db.get('answers', key));
  const seen = await within(reading.catch(() => undefined));
  return seen?.owner === owner && Date.now() - seen.at < MAX_AGE_MS ? seen.data : undefined;
}
