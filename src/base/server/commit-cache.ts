import type { CoupleId } from '../ids.ts';
import { WrittenAnswer } from './answer.ts';
import type { Db } from './db/db.ts';

/** The answers of so many couples are kept, those lately asked for. */
const COUPLES = 32;

interface Kept<T> {
  readonly revision: number;
  readonly answer: Promise<WrittenAnswer<T>>;
}

/**
 * A couple's list as it is answered, written once and sent again until anything at all is committed. Only for what
 * hangs on nothing but the database: not on the clock, nor on who of the two asks.
 */
export function cacheUntilCommit<T>(
  db: Pick<Db, 'revision'>,
  read: (coupleId: CoupleId) => Promise<T>,
): (coupleId: CoupleId) => Promise<WrittenAnswer<T>> {
  const kept = new Map<CoupleId, Kept<T>>();
  const write = async (coupleId: CoupleId) => new WrittenAnswer(await read(coupleId));

  return async (coupleId) => {
    // Asked before the list is read: what is committed meanwhile makes the answer old, never the revision too new.
    const revision = db.revision();
    if (revision === null) return write(coupleId);
    const known = kept.get(coupleId);
    kept.delete(coupleId);
    const answer = known?.revision === revision ? known.answer : write(coupleId);
    kept.set(coupleId, { revision, answer });
    for (const eldest of kept.keys()) {
      if (kept.size <= COUPLES) break;
      kept.delete(eldest);
    }
    try {
      return await answer;
    } catch (error) {
      if (kept.get(coupleId)?.answer === answer) kept.delete(coupleId);
      throw error;
    }
  };
}

/**
 * What was read under a key, kept until anything at all is committed: for what every photograph asks anew, its session
 * and its row. Where the engine can't tell of commits it is read each time, so that no node ever shows what another has
 * signed out or deleted.
 * @param maxEntries so many keys are kept
 */
export function memoizeUntilCommit<T>(
  db: Pick<Db, 'revision'>,
  maxEntries: number,
  read: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  let kept = new Map<string, Promise<T>>();
  let keptAt: number | null = null;
  return (key) => {
    // Asked before it is read: what is committed meanwhile makes it old, never the revision too new.
    const revision = db.revision();
    if (revision === null) return read(key);
    if (revision !== keptAt || kept.size >= maxEntries) {
      kept = new Map();
      keptAt = revision;
    }
    const into = kept;
    const known = into.get(key);
    if (known) return known;
    const reading = read(key);
    into.set(key, reading);
    // A failure is told to whoever asked, and kept from nobody who asks again.
    reading.catch(() => into.delete(key));
    return reading;
  };
}
