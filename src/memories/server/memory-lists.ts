import { type CoupleId, isId } from '../../base/ids.ts';
import { notFound } from '../../base/refusal.ts';
import { Answer } from '../../base/server/calls/answer.ts';
import type { Db, Reader } from '../../base/server/db/db.ts';
import { memoizeUntilCommit } from '../../base/server/db/memoize-until-commit.ts';
import { type Viewer, type Visibility, visibilityKey } from '../../base/server/visibility.ts';
import { readAsVisible } from '../../dates/server/visibility-store.ts';
import { hasDate } from '../../dates/server/visible-dates.ts';
import type { Memory, MemoryMonth } from '../contract.ts';
import { type MonthSpan, monthsBetween } from '../month-spans.ts';
import { memoryLimits } from '../rules.ts';
import { type MemorySort, ORDERS, type TimeSort, timeFieldOf } from '../sorts.ts';
import { countMemories } from './count-store.ts';
import { type Position, positionBefore, readCursor, writeCursor } from './cursor.ts';
import { countByMonth, listMemories, type MemoryRow, positionOf } from './store.ts';
import { toMemory } from './to-memory.ts';

interface PageQuery {
  readonly count?: number | undefined;
  readonly sort?: MemorySort | undefined;
  readonly cursor?: string | undefined;
  readonly skip?: number | undefined;
}

/** @throws Refusal 404 if the couple has no date with this id */
export async function assertDate(reader: Reader, coupleId: CoupleId, dateId: unknown): Promise<void> {
  if (!isId(dateId) || !(await hasDate(reader, coupleId, dateId))) throw notFound('Planned date');
}

/** A list whose months are counted. */
interface MonthList {
  readonly dateId: string | null;
  readonly sort: TimeSort;
  /** The IANA zone of the months. */
  readonly zone: string;
}

/** How many lists have their counts cached. */
const MAX_LISTS = 100;

/** Reads lists of memories. */
export function memoryLists(db: Db) {
  const counts = memoizeUntilCommit(db, MAX_LISTS, (_: string, visibility: Visibility, dateId: string | null) =>
    countMemories(db.read, visibility, dateId),
  );
  const monthLists = memoizeUntilCommit(db, MAX_LISTS, (_: string, visibility: Visibility, list: MonthList) =>
    readMonths(db.read, visibility, list),
  );
  return {
    page: (viewer: Viewer, now: number, list: ListRequest) =>
      readAsVisible(db.read, viewer, now, (visibility) => {
        const { dateId } = list;
        return readPage(db.read, visibility, list, () =>
          counts(`${visibilityKey(visibility)} ${dateId}`, visibility, dateId),
        );
      }),
    months: (viewer: Viewer, now: number, { dateId, sort, zone }: MonthList) =>
      readAsVisible(db.read, viewer, now, (visibility) => {
        const list = { dateId, sort, zone };
        return monthLists(`${visibilityKey(visibility)} ${JSON.stringify(list)}`, visibility, list);
      }),
  };
}

/** A request for a page of a list. The link to the next page is made from `path`. */
interface ListRequest {
  readonly dateId: string | null;
  readonly path: string;
  readonly query: PageQuery;
}

/**
 * A page of memories, newest first by default, with the total number in `X-Total-Count` and the address of the next page
 * in `Link` (memories.lists.2).
 * @throws Refusal 400 for a cursor of another list
 */
async function readPage(
  reader: Reader,
  visibility: Visibility,
  { dateId, path, query }: ListRequest,
  countAll: () => Promise<number>,
): Promise<Answer<Memory[]>> {
  const sort = query.sort ?? 'date-desc';
  const count = query.count ?? memoryLimits.countDefault;
  const after = readCursor(sort, query.cursor);
  // Read one row more, to know whether there is a next page.
  const [rows, total] = await Promise.all([
    listMemories(reader, visibility, { dateId, sort }, { after, skip: query.skip ?? 0, count: count + 1 }),
    countAll(),
  ]);
  const shown = rows.slice(0, count);
  const headers: Record<string, string> = { 'x-total-count': String(total) };
  const last = shown.at(-1);
  if (last && rows.length > count) {
    const next = new URLSearchParams({ count: String(count), sort, cursor: writeCursor(sort, positionOf(last, sort)) });
    headers.link = `<${path}${path.includes('?') ? '&' : '?'}${next.toString()}>; rel="next"`;
  }
  return new Answer(shown.map(toMemory), { headers });
}

/**
 * The months of a list in its order, each with its number of memories and the cursor of its first page. They let the
 * gallery know its whole height before it has loaded more than a page.
 */
async function readMonths(
  reader: Reader,
  visibility: Visibility,
  { dateId, sort, zone }: MonthList,
): Promise<MemoryMonth[]> {
  const [rising, falling] = timeFieldOf(sort) === 'uploadedAt' ? BY_UPLOAD : BY_STORY;
  const timeOf = (row: MemoryRow | undefined) => row?.[timeFieldOf(sort)];
  const firstOf = async (order: TimeSort, after: Position | null) =>
    timeOf((await listMemories(reader, visibility, { dateId, sort: order }, { after, count: 1 }))[0]);
  const last = await firstOf(falling, null);
  if (last === undefined) return [];
  const months: MemoryMonth[] = [];
  for (let first = await firstOf(rising, null); first !== undefined; ) {
    const spans = monthsBetween(first, last, zone);
    const counts = await countByMonth(reader, visibility, { dateId, sort }, spans);
    for (const [n, { month, from, until }] of spans.entries()) {
      const count = counts[n] ?? 0;
      const start = ORDERS[sort].direction === 'asc' ? from : until;
      if (count > 0) months.push({ month, count, cursor: writeCursor(sort, positionBefore(sort, start)) });
    }
    // A photograph from a wrong clock may be centuries away: the months without any are not counted.
    first = await firstOf(rising, positionBefore(rising, (spans.at(-1) as MonthSpan).until));
  }
  return ORDERS[sort].direction === 'asc' ? months : months.toReversed();
}

const BY_UPLOAD = ['date-asc', 'date-desc'] as const;
const BY_STORY = ['story-asc', 'story-desc'] as const;
