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
  /** Tells the values of one couple apart. */
  readonly key?: string;
}

/**
 * Returns a value of a couple's album from the cache, or reads it.
 * @param read reads the value without hidden dates, as it is for both partners
 * @param readAsSeen reads the value as one partner may see it. Pass it if the value depends on the dates that are hidden
 *   from a partner. It runs instead of `read` while a surprise is sealed, and again if the album changes during `read`
 */
export type AlbumCache<T> = (of: OfAlbum, read: () => Promise<T>, readAsSeen?: () => Promise<T>) => Promise<T>;

/**
 * Caches what is made of a couple's dates, the numbers of their memories, the titles and categories of their ideas, and
 * their time zone, until a commit of any node changes one of them (decision 37). While a surprise is sealed nothing is
 * cached, so that the time an answer takes tells nobody of a change that they may not know.
 * @param maxEntries the cache is cleared when it would have more
 */
export function openAlbumCache<T>({ read: reader }: Pick<Db, 'read'>, maxEntries: number): AlbumCache<T> {
  interface Found {
    readonly value: T;
    /**
     * Whether the album had the same revision before and after the value was read. Otherwise the value may be newer, or
     * show a date that has been made a surprise meanwhile.
     */
    readonly isCurrent: boolean;
  }
  const entries = new Map<string, { readonly revision: string; readonly found: Promise<Found> }>();
  return async ({ coupleId, now, key = '' }, read, readAsSeen) => {
    const revision = await revisionOf(coupleId, now);
    if (revision === undefined) return (readAsSeen ?? read)();
    const name = `${coupleId} ${key}`;
    const known = entries.get(name);
    if (known?.revision === revision) return seen(await known.found);
    if (known === undefined && entries.size >= maxEntries) entries.clear();
    const find = async () => {
      const value = await read();
      // If this fails, the value counts as outdated.
      const after = await revisionOf(coupleId, now).catch(() => undefined);
      return { value, isCurrent: after === revision };
    };
    const entry = { revision, found: find() };
    entries.set(name, entry);
    let isCurrent = false;
    try {
      const found = await entry.found;
      isCurrent = found.isCurrent;
      return await seen(found);
    } finally {
      if (!isCurrent && entries.get(name) === entry) entries.delete(name);
    }

    function seen(found: Found): T | Promise<T> {
      return found.isCurrent || !readAsSeen ? found.value : readAsSeen();
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
