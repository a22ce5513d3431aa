import type { CoupleId } from '../../base/ids.ts';
import { notFound } from '../../base/refusal.ts';
import { isId } from '../../base/schema.ts';
import { Answer } from '../../base/server/answer.ts';
import { memoizeUntilCommit } from '../../base/server/commit-cache.ts';
import type { Db, Reader } from '../../base/server/db/db.ts';
import { findDateRow } from '../../dates/server/store.ts';
import type { Memory, MemoryMonth } from '../contract.ts';
import { monthsBetween } from '../months.ts';
import { type DateSort, type MemorySort, memoryLimits } from '../rules.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { toMemory } from './memory.ts';
import { countByMonth, countMemories, listMemories, positionOf } from './store.ts';

interface PageQuery {
  readonly count?: number | undefined;
  readonly sort?: MemorySort | undefined;
  readonly cursor?: string | undefined;
  readonly skip?: number | undefined;
}

/** @throws Refusal 404 where the couple has no such date, or it is none's id */
export async function assertDate(reader: Reader, coupleId: CoupleId, dateId: unknown): Promise<void> {
  if (!isId(dateId) || !(await findDateRow(reader, coupleId, dateId))) throw notFound('Planned date');
}

/** Which months are asked for. */
interface MonthsOf {
  readonly dateId: string | null;
  readonly sort: DateSort;
  /** Whose calendar; an IANA name. */
  readonly zone: string;
}

/** So many counts, and so many calendars, are kept between two commits. */
const COUNTS = 500;
const CALENDARS = 100;

/**
 * The lists of memories. What would be counted anew for every page is counted once between two commits: the only part
 * of an answer that grows with the number of memories.
 */
export function memoryLists(db: Db) {
  const counts = memoizeUntilCommit(db, COUNTS, (key) => {
    const [coupleId, dateId] = JSON.parse(key) as [CoupleId, string | null];
    return countMemories(db.read, coupleId, dateId);
  });
  const calendars = memoizeUntilCommit(db, CALENDARS, (key) => {
    const [coupleId, list] = JSON.parse(key) as [CoupleId, MonthsOf];
    return monthsOfList(db.read, coupleId, list);
  });
  return {
    page: (coupleId: CoupleId, list: ListAsked) =>
      memoryPage(db.read, coupleId, list, () => counts(JSON.stringify([coupleId, list.dateId]))),
    months: (coupleId: CoupleId, { dateId, sort, zone }: MonthsOf) =>
      calendars(JSON.stringify([coupleId, { dateId, sort, zone }])),
  };
}

/** A list, its own path, and what was asked of it: with the query the path is the next page's. */
interface ListAsked {
  readonly dateId: string | null;
  readonly path: string;
  readonly query: PageQuery;
}

/**
 * A page of memories, newest first unless it says otherwise: the whole number in `X-Total-Count`, the address of the
 * next page, where there is one, in `Link` (contract 3).
 * @throws Refusal 400 for a cursor that is none of this list's
 */
async function memoryPage(
  reader: Reader,
  coupleId: CoupleId,
  { dateId, path, query }: ListAsked,
  countAll: () => Promise<number>,
): Promise<Answer<Memory[]>> {
  const sort = query.sort ?? 'date-desc';
  const count = query.count ?? memoryLimits.countDefault;
  const after = readCursor(sort, query.cursor);
  // One more than is shown tells whether there is a next page.
  const [rows, total] = await Promise.all([
    listMemories(reader, coupleId, { dateId, sort }, { after, skip: query.skip ?? 0, count: count + 1 }),
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
 * The months of a list in its order, each with its number of memories and the cursor by which its first page is asked
 * for: so the height of the whole gallery is known before more than a page of it is.
 */
async function monthsOfList(
  reader: Reader,
  coupleId: CoupleId,
  { dateId, sort, zone }: MonthsOf,
): Promise<MemoryMonth[]> {
  const end = (order: DateSort) =>
    listMemories(reader, coupleId, { dateId, sort: order }, { after: null, count: 1 }).then(([row]) => row?.uploadedAt);
  const [first, last] = await Promise.all([end('date-asc'), end('date-desc')]);
  if (first === undefined || last === undefined) return [];
  const spans = monthsBetween(first, last, zone);
  const counts = await countByMonth(reader, coupleId, dateId, spans);
  const months = spans.map(({ month, from, until }, n) => ({
    month,
    count: counts[n] ?? 0,
    cursor: writeCursor(sort, { value: sort === 'date-asc' ? from : until, id: '' }),
  }));
  return (sort === 'date-asc' ? months : months.toReversed()).filter(({ count }) => count > 0);
}
