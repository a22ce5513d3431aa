import type { DBSchema, IDBPDatabase } from 'idb';
import { DAY } from '../../durations.ts';
import { CACHES } from '../../worker-contract.ts';
import { pageVersion } from '../version.ts';
import { deviceDatabase, withTimeout } from './device-database.ts';
import { LAST_SEEN } from './device-store.ts';
import { hasPageSessionEnded } from './page-session-end.ts';

/**
 * A query's last data on this device: what a page shows first, and all that it has without a connection (decision 44).
 * The store belongs to one user at a time, is limited in entries and age, and is deleted when the session ends. Without
 * IndexedDB it does nothing.
 */
interface Seen {
  readonly owner: string;
  /** When the server sent it. */
  readonly at: number;
  /** The version of the app that stored it. Another one may expect another shape. */
  readonly version: string;
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

/** What this page knows of the store, by the hashes of the queries. */
const seen = new Map<string, Seen>();

/**
 * Reads the last signed-in user and what they last saw, which `findLastSeen` returns from then on.
 * @returns null without a last user, and if this device can't read the store in time
 */
export async function readLastSeen<User extends { readonly id: string }>(): Promise<User | null> {
  const found = await withTimeout(readAll().catch(() => undefined));
  if (found?.user === undefined) return null;
  for (const [n, key] of found.keys.entries()) {
    const one = found.values[n] as Seen;
    const isValid = one.version === pageVersion && one.owner === found.user.id && Date.now() - one.at < MAX_AGE_MS;
    // What this page has received in the meantime is newer.
    if (isValid && !seen.has(key)) seen.set(key, one);
  }
  return found.user as User;
}

async function readAll() {
  const transaction = (await open()).transaction(['who', 'answers']);
  const answers = transaction.objectStore('answers');
  const [user, keys, values] = await Promise.all([
    transaction.objectStore('who').get('last'),
    answers.getAllKeys(),
    answers.getAll(),
  ]);
  return { user, keys, values };
}

/** Returns a query's last data for this user, and when the server sent it; undefined without any. */
export function findLastSeen(owner: string, key: string): Pick<Seen, 'at' | 'data'> | undefined {
  const found = seen.get(key);
  return found?.owner === owner ? found : undefined;
}

/** Returns the keys and the data of all that this user last saw, oldest first. */
export function allLastSeen(owner: string): { readonly key: readonly unknown[]; readonly data: unknown }[] {
  return [...seen]
    .filter(([, one]) => one.owner === owner)
    .sort(([, a], [, b]) => a.at - b.at)
    .map(([key, { data }]) => ({ key: JSON.parse(key) as unknown[], data }));
}

/** Keeps a user for the next visit, deletes what another user of this device last saw, and what is too old. */
export async function keepLastUser(user: { readonly id: string }): Promise<void> {
  if (hasPageSessionEnded()) return;
  try {
    const db = await open();
    const last = await db.get('who', 'last');
    if (last !== undefined && last.id !== user.id) await db.clear('answers');
    await db.put('who', user, 'last');
    await dropOld(db);
    if ('caches' in globalThis) await keepCaches(user.id, last !== undefined && last.id !== user.id);
  } catch {
    // Without storage, the next visit waits for the server.
  }
}

/** Tells the service worker who is signed in, and creates its cache of thumbnails. Pages without HTTPS have neither. */
async function keepCaches(userId: string, isAnother: boolean): Promise<void> {
  const lastUser = await caches.open(CACHES.lastUser);
  await lastUser.put(`/${CACHES.lastUser}`, new Response(userId));
  if (isAnother) await caches.delete(CACHES.thumbnails);
  if (!hasPageSessionEnded()) await caches.open(CACHES.thumbnails);
}

async function dropOld(db: IDBPDatabase<Schema>): Promise<void> {
  const keys = await db.getAllKeysFromIndex('answers', 'at');
  const old = await db.getAllKeysFromIndex('answers', 'at', IDBKeyRange.upperBound(Date.now() - MAX_AGE_MS));
  const surplus = keys.slice(0, Math.max(0, keys.length - MAX_ENTRIES));
  await Promise.all([...new Set([...old, ...surplus])].map((key) => db.delete('answers', key)));
}

/** Stores a query's data for a user; undefined deletes it. */
export async function saveLastSeen(owner: string, key: string, data: unknown): Promise<void> {
  if (hasPageSessionEnded()) return;
  const now: Seen = { owner, at: Date.now(), version: pageVersion, data };
  if (data === undefined) seen.delete(key);
  else seen.set(key, now);
  try {
    const db = await open();
    await (data === undefined ? db.delete('answers', key) : db.put('answers', now, key));
  } catch {
    // Without storage, the next visit waits for the server.
  }
}
