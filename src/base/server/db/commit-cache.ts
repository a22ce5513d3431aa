import { WrittenAnswer } from '../calls/answer.ts';
import type { Viewer } from '../visibility.ts';
import type { Db } from './db.ts';

/** The number of partners whose replies are cached. */
const MAX_PARTNERS = 64;

/**
 * Caches a partner's serialized reply until the next commit of any kind. None is ever served to the other. PostgreSQL has
 * no revision, so nothing is cached there.
 * @param variantOf returns what else than the database the reply depends on, such as what the time has revealed
 */
export function cachePerPartnerUntilCommit<T>(
  db: Pick<Db, 'revision'>,
  read: (viewer: Viewer, now: number) => Promise<T>,
  variantOf: (viewer: Viewer, now: number) => Promise<string>,
): (viewer: Viewer, now: number) => Promise<WrittenAnswer<T>> {
  const write = async (viewer: Viewer, now: number) => new WrittenAnswer(await read(viewer, now));
  const find = memoizeUntilCommit(db, MAX_PARTNERS, (_: string, viewer: Viewer, now: number) => write(viewer, now));
  return async (viewer, now) => {
    const revision = db.revision();
    const variant = await variantOf(viewer, now);
    // After a commit in between, the reply would be cached for a variant that it isn't.
    if (db.revision() !== revision) return write(viewer, now);
    return find(JSON.stringify([viewer.coupleId, viewer.userId, variant]), viewer, now);
  };
}

/**
 * Memoizes reads by key until the next commit of any kind, for what every photo request needs: its session and its row.
 * If the engine has no revision (PostgreSQL), every call reads, so that no node serves what another has revoked or
 * deleted.
 * @param maxEntries the cache is cleared when it would have more keys
 * @param read reads for a key; what it gets besides must not change the result
 */
export function memoizeUntilCommit<Key extends string, T, More extends readonly unknown[] = []>(
  db: Pick<Db, 'revision'>,
  maxEntries: number,
  read: (key: Key, ...more: More) => Promise<T>,
): (key: Key, ...more: More) => Promise<T> {
  let cache = new Map<Key, Promise<T>>();
  let cachedRevision: number | null = null;
  return (key, ...more) => {
    // Read the revision first: a commit during the read then makes the entry stale, never falsely current.
    const revision = db.revision();
    if (revision === null) return read(key, ...more);
    if (revision !== cachedRevision) {
      cache = new Map();
      cachedRevision = revision;
    }
    const known = cache.get(key);
    if (known) return known;
    if (cache.size >= maxEntries) cache = new Map();
    const current = cache;
    const reading = read(key, ...more);
    current.set(key, reading);
    // Don't cache errors: the caller gets this one, and the next call reads again.
    reading.catch(() => current.delete(key));
    return reading;
  };
}
