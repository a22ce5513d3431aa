import type { CoupleId, UserId } from '../ids.ts';
import { WrittenAnswer } from './answer.ts';
import type { Db } from './db/db.ts';

/** The number of couples whose replies are cached. */
const MAX_COUPLES = 32;
const PARTNERS = 2;

/**
 * Caches a couple's serialized reply until the next commit of any kind. Use it only for replies that depend on nothing
 * but the database: not on the clock, nor on which partner asks. PostgreSQL has no revision, so nothing is cached there.
 */
export function cacheUntilCommit<T>(
  db: Pick<Db, 'revision'>,
  read: (coupleId: CoupleId) => Promise<T>,
): (coupleId: CoupleId) => Promise<WrittenAnswer<T>> {
  return memoizeUntilCommit(db, MAX_COUPLES, async (coupleId: CoupleId) => new WrittenAnswer(await read(coupleId)));
}

/** The partner who asks. */
interface Viewer {
  readonly coupleId: CoupleId;
  readonly userId: UserId;
}

/**
 * Caches a partner's serialized reply until the next commit of any kind, for replies that differ between the partners.
 * None is ever served to the other.
 */
export function cachePerPartnerUntilCommit<T>(
  db: Pick<Db, 'revision'>,
  read: (viewer: Viewer) => Promise<T>,
): (viewer: Viewer) => Promise<WrittenAnswer<T>> {
  const find = memoizeUntilCommit(db, MAX_COUPLES * PARTNERS, async (key) => {
    const [coupleId, userId] = JSON.parse(key) as [CoupleId, UserId];
    return new WrittenAnswer(await read({ coupleId, userId }));
  });
  return ({ coupleId, userId }) => find(JSON.stringify([coupleId, userId]));
}

/**
 * Memoizes reads by key until the next commit of any kind, for what every photo request needs: its session and its row.
 * If the engine has no revision (PostgreSQL), every call reads, so that no node serves what another has revoked or
 * deleted.
 * @param maxEntries the cache is cleared when it would have more keys
 */
export function memoizeUntilCommit<Key extends string, T>(
  db: Pick<Db, 'revision'>,
  maxEntries: number,
  read: (key: Key) => Promise<T>,
): (key: Key) => Promise<T> {
  let cache = new Map<Key, Promise<T>>();
  let cachedRevision: number | null = null;
  return (key) => {
    // Read the revision first: a commit during the read then makes the entry stale, never falsely current.
    const revision = db.revision();
    if (revision === null) return read(key);
    if (revision !== cachedRevision) {
      cache = new Map();
      cachedRevision = revision;
    }
    const known = cache.get(key);
    if (known) return known;
    if (cache.size >= maxEntries) cache = new Map();
    const current = cache;
    const reading = read(key);
    current.set(key, reading);
    // Don't cache errors: the caller gets this one, and the next call reads again.
    reading.catch(() => current.delete(key));
    return reading;
  };
}
