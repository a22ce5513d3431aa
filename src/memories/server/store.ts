import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { hasForbiddenCharacter } from '../../base/clean-text.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { inOrderAfter } from '../../base/server/db/in-order-after.ts';
import type { MemoriesTable, Tables } from '../../base/server/db/tables/tables.ts';
import type { Viewer, Visibility } from '../../base/server/visibility.ts';
import { isHiddenFrom, type Sealable } from '../../dates/surprises.ts';
import type { MonthSpan } from '../month-spans.ts';
import { type MemorySort, ORDERS, type TimeSort, timeFieldOf } from '../sorts.ts';
import type { Position } from './cursor.ts';

export type MemoryRow = Selectable<MemoriesTable>;

/** Matches memories that are neither deleted themselves nor with their date. */
function isLive({ and, eb }: ExpressionBuilder<Tables, 'memories'>) {
  return and([eb('memories.deletedAt', 'is', null), eb('memories.dateDeletedAt', 'is', null)]);
}

/** A query of the couple's memories that are not in the trash. */
export function liveMemories(reader: Reader, coupleId: CoupleId) {
  return reader.selectFrom('memories').where('memories.coupleId', '=', coupleId).where(isLive);
}

/** A query of the couple's memories that a partner may see: without those of hidden dates. */
export function visibleMemories(reader: Reader, { coupleId, hiddenDates }: Visibility) {
  const live = liveMemories(reader, coupleId);
  return hiddenDates.length === 0 ? live : live.where('memories.dateId', 'not in', hiddenDates);
}

/** Moves the memories of a date to the trash with it. */
export async function trashWithDate(tx: Writer, coupleId: CoupleId, dateId: string, now: number): Promise<void> {
  await tx
    .updateTable('memories')
    .set({ dateDeletedAt: now })
    .where('coupleId', '=', coupleId)
    .where('dateId', '=', dateId)
    .where('deletedAt', 'is', null)
    .execute();
}

/** A memory with what decides whether its date is hidden. */
type MemoryOfDate = MemoryRow & { readonly date: Sealable };

/** A memory of the couple that is not in the trash, whichever partner may see it. */
async function findOne(
  reader: Reader,
  coupleId: CoupleId,
  by: { readonly id: string } | { readonly fileName: string },
): Promise<MemoryOfDate | null> {
  const query = liveMemories(reader, coupleId)
    .innerJoin('dates', (join) =>
      join.onRef('dates.coupleId', '=', 'memories.coupleId').onRef('dates.id', '=', 'memories.dateId'),
    )
    .leftJoin('surprises', (join) =>
      join.onRef('surprises.coupleId', '=', 'memories.coupleId').onRef('surprises.dateId', '=', 'memories.dateId'),
    )
    .selectAll('memories')
    .select(['dates.status', 'dates.plannedDateTime', 'surprises.surpriseBy', 'surprises.revealedAt']);
  const found = await ('id' in by
    ? query.where('memories.id', '=', by.id)
    : query.where('memories.fileName', '=', by.fileName)
  ).executeTakeFirst();
  if (!found) return null;
  const { status, plannedDateTime, surpriseBy, revealedAt, ...row } = found;
  return { ...row, date: { status, plannedDateTime, surpriseBy, revealedAt } };
}

/** Reads memories by their ids for pictures, with what decides who may see them, so that they can be memoized. */
export function findMemoryOfDate(reader: Reader, coupleId: CoupleId, id: string): Promise<MemoryOfDate | null> {
  return findOne(reader, coupleId, { id });
}

/** The memory if a partner may see it now, or null. */
export function visibleTo(viewer: Viewer, memory: MemoryOfDate | null, now: number): MemoryRow | null {
  if (memory === null || isHiddenFrom(viewer.userId, memory.date, now)) return null;
  const { date: _, ...row } = memory;
  return row;
}

/** A memory by its id, or null if there is none that the partner may see, or it is in the trash. */
export async function findMemory(reader: Reader, viewer: Viewer, id: string, now: number): Promise<MemoryRow | null> {
  return visibleTo(viewer, await findOne(reader, viewer.coupleId, { id }), now);
}

/** A memory by the stored name of its original, or null like `findMemory`. */
export async function findByFileName(
  reader: Reader,
  viewer: Viewer,
  fileName: string,
  now: number,
): Promise<MemoryRow | null> {
  // PostgreSQL refuses NUL in text, and no stored name has one.
  if (hasForbiddenCharacter(fileName)) return null;
  return visibleTo(viewer, await findOne(reader, viewer.coupleId, { fileName }), now);
}

/** The memory of a date with the same bytes. One in the trash does not count. */
export async function findTwin(
  reader: Reader,
  coupleId: CoupleId,
  { dateId, sha256 }: { dateId: string; sha256: string },
): Promise<MemoryRow | null> {
  const found = await liveMemories(reader, coupleId)
    .selectAll()
    .where('dateId', '=', dateId)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return found ?? null;
}

/** Reads a memory that is not in the trash, and locks it until the transaction ends. */
export function lockMemory(tx: Writer, coupleId: CoupleId, id: string): Promise<MemoryRow | undefined> {
  return tx
    .updateTable('memories')
    .set((row) => ({ version: row.ref('version') }))
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where(isLive)
    .returningAll()
    .executeTakeFirst();
}

/** Writes what may be corrected of a locked memory, and its version. */
export async function updateMemory(tx: Writer, { coupleId, id, ...row }: MemoryRow): Promise<void> {
  const { dateId, caption, searchText, correctedTakenAt, happenedAt, updatedAt, version } = row;
  await tx
    .updateTable('memories')
    .set({ dateId, caption, searchText, correctedTakenAt, happenedAt, updatedAt, version })
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .execute();
}

/** A list: its filter and its order. */
export interface ListOf {
  readonly dateId: string | null;
  readonly sort: MemorySort;
}

/** A slice of a list, from after a position or from the start. */
export interface ListSlice {
  readonly after: Position | null;
  /** How many to skip first. */
  readonly skip?: number;
  readonly count: number;
}

/** One page of a list. It seeks by key, so that the last page is as fast as the first. */
export async function listMemories(
  reader: Reader,
  visibility: Visibility,
  list: ListOf,
  { after, skip = 0, count }: ListSlice,
): Promise<MemoryRow[]> {
  if (skip === 0) return pageAfter(reader, visibility, list, after).selectAll().limit(count).execute();
  // Skip within the index, and read only the rows of the page.
  const ids = pageAfter(reader, visibility, list, after).select('id').offset(skip).limit(count);
  const { by, direction } = ORDERS[list.sort];
  return inOrderAfter(visibleMemories(reader, visibility).where('id', 'in', ids), [...by, 'id'], null, direction)
    .selectAll()
    .execute();
}

function pageAfter(reader: Reader, visibility: Visibility, { dateId, sort }: ListOf, after: Position | null) {
  const { by, direction } = ORDERS[sort];
  const list = visibleMemories(reader, visibility).$if(dateId !== null, (query) => query.where('dateId', '=', dateId));
  return inOrderAfter(list, [...by, 'id'], after && [...after.values, after.id], direction);
}

/** How many memories of a list fall into each month, in one query that reads only the index. */
export async function countByMonth(
  reader: Reader,
  visibility: Visibility,
  { dateId, sort }: ListOf & { readonly sort: TimeSort },
  spans: readonly MonthSpan[],
): Promise<number[]> {
  const time = timeFieldOf(sort);
  if (spans.length === 0) return [];
  const rows = spans.map(({ from, until }) => sql`(cast(${from} as bigint), cast(${until} as bigint))`);
  const within = visibleMemories(reader, visibility)
    .$if(dateId !== null, (query) => query.where('dateId', '=', dateId as string))
    .where(time, '>=', sql<number>`"spans"."from"`)
    .where(time, '<', sql<number>`"spans"."until"`)
    .select((eb) => eb.fn.countAll<number>().as('count'));
  const { rows: counted } = await sql<{ count: number }>`
    with "spans" ("from", "until") as (values ${sql.join(rows)})
    select (${within}) as "count" from "spans" order by "from"`.execute(reader);
  return counted.map(({ count }) => Number(count));
}

/** The position of a memory in a list's order. */
export function positionOf(row: MemoryRow, sort: MemorySort): Position {
  return { values: ORDERS[sort].by.map((field) => row[field]), id: row.id };
}

/** Statistics of a date's memories. `first` and `last` are null if there are none. */
export async function memoryFigures(reader: Reader, visibility: Visibility, dateId: string) {
  const row = await visibleMemories(reader, visibility)
    .where('dateId', '=', dateId)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | null>('fileSizeBytes').as('bytes'),
      fn.min<number | null>('uploadedAt').as('first'),
      fn.max<number | null>('uploadedAt').as('last'),
    ])
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), bytes: Number(row.bytes ?? 0), first: row.first, last: row.last };
}

export async function insertMemory(tx: Writer, row: MemoryRow): Promise<void> {
  await tx.insertInto('memories').values(row).execute();
}

/** Moves a memory to the trash. @returns false if it does not exist or is already there */
export async function trashMemory(
  tx: Writer,
  coupleId: CoupleId,
  { id, by, now }: { id: string; by: UserId; now: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('memories')
    .set({ deletedAt: now, deletedBy: by })
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where(isLive)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
