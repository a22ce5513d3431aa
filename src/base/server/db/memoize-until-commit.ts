import type { Db } from './db.ts';

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
