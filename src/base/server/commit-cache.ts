import type { CoupleId } from '../ids.ts';
import { WrittenAnswer } from './answer.ts';
import type { Db } from './db/db.ts';

/** The number of couples in a cache; the least recently used is evicted. */
const MAX_COUPLES = 32;

interface Entry<T> {
  readonly revision: number;
  readonly answer: Promise<WrittenAnswer<T>>;
}

/**
 * Caches a couple's serialized reply until the next commit of any kind. Use it only for replies that depend on nothing
 * but the database: not on the clock, nor on which partner asks. PostgreSQL has no revision, so nothing is cached there.
 */
export function cacheUntilCommit<T>(
  db: Pick<Db, 'revision'>,
  read: (coupleId: CoupleId) => Promise<T>,
): (coupleId: CoupleId) => Promise<WrittenAnswer<T>> {
  const cache = new Map<CoupleId, Entry<T>>();
  const load = async (coupleId: CoupleId) => new WrittenAnswer(await read(coupleId));

  return async (coupleId) => {
    // Read the revision first: a commit during the load then makes the entry stale, never falsely current.
    const revision = db.revision();
    if (revision === null) return load(coupleId);
    const known = cache.get(coupleId);
    cache.delete(coupleId);
    const answer = known?.revision === revision ? known.answer : load(coupleId);
    cache.set(coupleId, { revision, answer });
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_COUPLES) break;
      cache.delete(oldest);
    }
    try {
      return await answer;
    } catch (error) {
      if (cache.get(coupleId)?.answer === answer) cache.delete(coupleId);
      throw error;
    }
  };
}

/**
 * Memoizes reads by key until the next commit of any kind, for what every photo request needs: its session and its row.
 * If the engine has no revision (PostgreSQL), every call reads, so that no node serves what another has revoked or
 * deleted.
 * @param maxEntries the cache is cleared when it has this many keys
 */
export function memoizeUntilCommit<T>(
  db: Pick<Db, 'revision'>,
  maxEntries: number,
  read: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  let cache = new Map<string, Promise<T>>();
  let cachedRevision: number | null = null;
  return (key) => {
    // Read the revision first: a commit during the read then makes the entry stale, never falsely current.
    const revision = db.revision();
    if (revision === null) return read(key);
    if (revision !== cachedRevision || cache.size >= maxEntries) {
      cache = new Map();
      cachedRevision = revision;
    }
    const current = cache;
    const known = current.get(key);
    if (known) return known;
    const reading = read(key);
    current.set(key, reading);
    // Don't cache errors: the caller gets this one, and the next call reads again.
    reading.catch(() => current.delete(key));
    return reading;
  };
}
