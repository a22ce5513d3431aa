import type { CoupleId } from '../../base/ids.ts';
import type { Db, Reader } from '../../base/server/db/db.ts';
import { prepared } from '../../base/server/db/prepared.ts';
import type { AlbumRevisionsTable } from '../../base/server/db/tables.ts';
import type { Sight, Viewer } from '../../base/server/sight.ts';
import { readAsSeen, unrevealedSurprises } from './surprise-store.ts';

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
  interface Entry {
    readonly revision: string;
    readonly found: Promise<Found>;
  }
  const entries = new Map<string, Entry>();
  return async ({ coupleId, now, key = '' }, read, readAsSeen) => {
    const revision = await revisionOf(coupleId, now);
    if (revision === undefined) return (readAsSeen ?? read)();
    const name = `${coupleId} ${key}`;
    const known = entries.get(name);
    const { found } = known?.revision === revision ? known : add(name, revision);
    const { value, isCurrent } = await found;
    return isCurrent || !readAsSeen ? value : readAsSeen();

    function add(name: string, revision: string): Entry {
      if (!entries.has(name) && entries.size >= maxEntries) entries.clear();
      const entry = { revision, found: find(revision) };
      entries.set(name, entry);
      const drop = () => {
        if (entries.get(name) === entry) entries.delete(name);
      };
      void entry.found.then(({ isCurrent }) => {
        if (!isCurrent) drop();
      }, drop);
      return entry;
    }

    async function find(revision: string): Promise<Found> {
      const value = await read();
      // If this fails, the value counts as outdated.
      const after = await revisionOf(coupleId, now).catch(() => undefined);
      return { value, isCurrent: after === revision };
    }
  };

  /** The revision of the album; undefined while a surprise is sealed. */
  async function revisionOf(coupleId: CoupleId, now: number): Promise<string | undefined> {
    return (await revisions(reader, { coupleId, now }))[0]?.revision;
  }
}

/**
 * Caches what leaves out the dates that are hidden from a partner.
 * @param read reads it as a partner sees it
 */
export function openSeenCache<T>(
  db: Pick<Db, 'read'>,
  maxEntries: number,
  read: (reader: Reader, sight: Sight) => Promise<T>,
): (viewer: Viewer, now: number) => Promise<T> {
  const find = openAlbumCache<T>(db, maxEntries);
  return (viewer, now) =>
    find(
      { coupleId: viewer.coupleId, now },
      () => read(db.read, { ...viewer, hiddenDates: [] }),
      () => readAsSeen(db.read, viewer, now, (sight) => read(db.read, sight)),
    );
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
