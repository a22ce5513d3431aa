import type { CoupleId } from '../../base/ids.ts';
import type { Db } from '../../base/server/db/db.ts';
import { prepared } from '../../base/server/db/prepared.ts';
import type { AlbumRevisionsTable } from '../../base/server/db/tables.ts';
import { unrevealedSurprises } from './surprise-store.ts';

/** What a value is read for. */
export interface OfAlbum {
  readonly coupleId: CoupleId;
  /** Milliseconds. */
  readonly now: number;
  /** The dates that the value leaves out, if it isn't the same for both partners. */
  readonly hiddenDates?: readonly string[];
  /** Tells the values of one couple apart. */
  readonly key?: string;
}

/** Returns a value of a couple's album from the cache, or reads it. */
export type AlbumCache<T> = (of: OfAlbum, read: () => Promise<T>) => Promise<T>;

/**
 * Caches what is made of a couple's dates, the numbers of their memories, the titles and categories of their ideas, and
 * their time zone, until a commit of any node changes one of them (decision 37). While a surprise is sealed nothing is
 * cached, so that the time an answer takes tells nobody of a change that they may not know.
 * @param maxEntries the cache is cleared when it would have more
 */
export function openAlbumCache<T>({ read: reader }: Pick<Db, 'read'>, maxEntries: number): AlbumCache<T> {
  const entries = new Map<string, { readonly revision: string; readonly value: Promise<T> }>();
  return async ({ coupleId, now, hiddenDates = [], key = '' }, read) => {
    // What leaves out a date isn't cached even if that date is revealed by now: it would be taken for the whole.
    const revision = hiddenDates.length > 0 ? undefined : await revisionOf(coupleId, now);
    if (revision === undefined) return read();
    const name = `${coupleId} ${key}`;
    const known = entries.get(name);
    if (known?.revision === revision) return known.value;
    if (known === undefined && entries.size >= maxEntries) entries.clear();
    const entry = { revision, value: read() };
    entries.set(name, entry);
    let isCurrent = false;
    try {
      const value = await entry.value;
      // After a commit during the read, the value may be newer than its revision.
      isCurrent = (await revisionOf(coupleId, now)) === revision;
      return value;
    } finally {
      if (!isCurrent && entries.get(name) === entry) entries.delete(name);
    }
  };

  /** The revision of the album; undefined while a surprise is sealed. */
  async function revisionOf(coupleId: CoupleId, now: number): Promise<string | undefined> {
    return (await revisions(reader, { coupleId, now }))[0]?.revision;
  }
}

const revisions = prepared<
  { readonly coupleId: CoupleId; readonly now: number },
  Pick<AlbumRevisionsTable, 'revision'>
>((reader, value) =>
  reader
    .selectFrom('albumRevisions')
    .select('revision')
    .where('albumRevisions.coupleId', '=', value('coupleId'))
    .where(({ exists, not }) =>
      not(
        exists(
          // Those that are sealed, as in `isSealed`.
          unrevealedSurprises(reader, value('coupleId'))
            .where('dates.status', '=', 'Planned')
            .where('dates.plannedDateTime', '>', value('now')),
        ),
      ),
    ),
);
