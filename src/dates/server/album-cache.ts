import type { CoupleId } from '../../base/ids.ts';
import type { Db, Reader } from '../../base/server/db/db.ts';
import { prepared } from '../../base/server/db/prepared.ts';
import type { AlbumRevisionsTable } from '../../base/server/db/tables.ts';

/** A value, and the revision of the album that it was read from or that is older. */
interface Entry<T> {
  readonly revision: string;
  readonly value: Promise<T>;
}

/** Reads a value of a couple's album, or returns it from the cache. `key` tells the couple's values apart. */
export type AlbumCache<T> = (coupleId: CoupleId, read: () => Promise<T>, key?: string) => Promise<T>;

/**
 * Caches what is made of a couple's dates, the numbers of their memories, the titles and categories of their ideas, and
 * their time zone, until a commit of any node changes one of them (decision 37). While a surprise waits nothing is cached,
 * so that the time an answer takes tells nobody of a change that they may not know.
 * @param maxEntries the cache is cleared when it would have more
 */
export function openAlbumCache<T>(db: Pick<Db, 'read'>, maxEntries: number): AlbumCache<T> {
  const entries = new Map<string, Entry<T>>();
  return async (coupleId, read, key = '') => {
    const revision = await readRevision(db.read, coupleId);
    if (revision === undefined) return read();
    const name = `${coupleId} ${key}`;
    const known = entries.get(name);
    if (known?.revision === revision) return known.value;
    if (entries.size >= maxEntries) entries.clear();
    // A commit during the read makes the entry newer than its revision, which no later request finds.
    const entry = { revision, value: read() };
    entries.set(name, entry);
    // Don't cache errors: the caller gets this one, and the next call reads again.
    entry.value.catch(() => {
      if (entries.get(name) === entry) entries.delete(name);
    });
    return entry.value;
  };
}

/** The revision of the album; none while a surprise waits, or was revealed by its time alone. */
const revisions = prepared<{ readonly coupleId: CoupleId }, Pick<AlbumRevisionsTable, 'revision'>>((reader, value) =>
  reader
    .selectFrom('albumRevisions')
    .select('revision')
    .where('coupleId', '=', value('coupleId'))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('surprises')
            .select('surprises.dateId')
            .where('surprises.coupleId', '=', value('coupleId'))
            .where('surprises.revealedAt', 'is', null),
        ),
      ),
    ),
);

async function readRevision(reader: Reader, coupleId: CoupleId): Promise<string | undefined> {
  return (await revisions(reader, { coupleId }))[0]?.revision;
}
