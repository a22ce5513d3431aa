import type { CoupleId } from '../../base/ids.ts';
import { notFound } from '../../base/refusal.ts';
import { isId } from '../../base/schema.ts';
import { Answer } from '../../base/server/answer.ts';
import type { Reader } from '../../base/server/db/db.ts';
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

/**
 * A page of memories, newest first unless it says otherwise: the whole number in `X-Total-Count`, the address of the
 * next page, where there is one, in `Link` (contract 3).
 * @param path of the list itself; with the query it is the next page's
 * @throws Refusal 400 for a cursor that is none of this list's
 */
export async function memoryPage(
  reader: Reader,
  coupleId: CoupleId,
  list: { readonly dateId: string | null; readonly path: string; readonly query: PageQuery },
): Promise<Answer<Memory[]>> {
  const { dateId, path, query } = list;
  const sort = query.sort ?? 'date-desc';
  const count = query.count ?? memoryLimits.countDefault;
  const after = readCursor(sort, query.cursor);
  // One more than is shown tells whether there is a next page.
  const [rows, total] = await Promise.all([
    listMemories(reader, coupleId, { dateId, sort }, { after, skip: query.skip ?? 0, count: count + 1 }),
    countMemories(reader, coupleId, dateId),
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
 * @param zone whose calendar; an IANA name
 */
export async function monthsOfList(
  reader: Reader,
  coupleId: CoupleId,
  { dateId, sort, zone }: { readonly dateId: string | null; readonly sort: DateSort; readonly zone: string },
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
