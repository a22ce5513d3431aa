import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { MemoriesTable, Tables } from '../../base/server/db/tables.ts';
import { hasForbiddenCharacter } from '../../base/text.ts';
import type { MonthSpan } from '../months.ts';
import type { MemorySort } from '../rules.ts';
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

/** What the `dates` slice needs from memories. `app` passes it in. */
export const dateMemories = {
  /** How many memories each of these dates has (null: all dates). A date without memories is not in the map. */
  countByDate: async (
    reader: Reader,
    coupleId: CoupleId,
    dateIds: readonly string[] | null,
  ): Promise<Map<string, number>> => {
    if (dateIds?.length === 0) return new Map();
    let query = liveMemories(reader, coupleId);
    if (dateIds !== null) query = query.where('dateId', 'in', dateIds);
    const rows = await query
      .select((eb) => ['dateId', eb.fn.countAll<number>().as('count')])
      .groupBy('dateId')
      .execute();
    return new Map(rows.map((row) => [row.dateId, Number(row.count)]));
  },
  /** Marks a date's memories as deleted with it. */
  trashWithDate: async (tx: Writer, coupleId: CoupleId, dateId: string, now: number): Promise<void> => {
    await tx
      .updateTable('memories')
      .set({ dateDeletedAt: now })
      .where('coupleId', '=', coupleId)
      .where('dateId', '=', dateId)
      .where('deletedAt', 'is', null)
      .execute();
  },
};

/** A memory by its id, or null if there is none or it is in the trash. */
export async function findMemory(reader: Reader, coupleId: CoupleId, id: string): Promise<MemoryRow | null> {
  return (await liveMemories(reader, coupleId).selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** A memory by the stored name of its original, or null if there is none or it is in the trash. */
export async function findByFileName(reader: Reader, coupleId: CoupleId, name: string): Promise<MemoryRow | null> {
  // PostgreSQL refuses NUL in text, and no stored name has one.
  if (hasForbiddenCharacter(name)) return null;
  return (await liveMemories(reader, coupleId).selectAll().where('fileName', '=', name).executeTakeFirst()) ?? null;
}

/** The memory of a date with the same bytes. One in the trash does not count (contract 3, Memories). */
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

/** A list: its filter and its order. */
export interface ListOf {
  readonly dateId: string | null;
  readonly sort: MemorySort;
}

const ORDERS = {
  'date-desc': ['uploadedAt', 'desc'],
  'date-asc': ['uploadedAt', 'asc'],
  size: ['fileSizeBytes', 'desc'],
} as const;

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
  coupleId: CoupleId,
  list: ListOf,
  { after, skip = 0, count }: ListSlice,
): Promise<MemoryRow[]> {
  if (skip === 0) return pageAfter(reader, coupleId, list, after).selectAll().limit(count).execute();
  // Skip within the index, and read only the rows of the page.
  const ids = pageAfter(reader, coupleId, list, after).select('id').offset(skip).limit(count);
  const [column, direction] = ORDERS[list.sort];
  return liveMemories(reader, coupleId)
    .selectAll()
    .where('id', 'in', ids)
    .orderBy(column, direction)
    .orderBy('id', direction)
    .execute();
}

function pageAfter(reader: Reader, coupleId: CoupleId, { dateId, sort }: ListOf, after: Position | null) {
  const [column, direction] = ORDERS[sort];
  let query = liveMemories(reader, coupleId);
  if (dateId !== null) query = query.where('dateId', '=', dateId);
  if (after !== null) {
    const beyond = direction === 'desc' ? '<' : '>';
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple(column, 'id'), beyond, tuple(after.value, after.id)));
  }
  return query.orderBy(column, direction).orderBy('id', direction);
}

/** How many memories of a list were uploaded in each month, in one query that reads only the index. */
export async function countByMonth(
  reader: Reader,
  coupleId: CoupleId,
  dateId: string | null,
  spans: readonly MonthSpan[],
): Promise<number[]> {
  if (spans.length === 0) return [];
  const rows = spans.map(({ from, until }) => sql`(cast(${from} as bigint), cast(${until} as bigint))`);
  const within = liveMemories(reader, coupleId)
    .$if(dateId !== null, (query) => query.where('dateId', '=', dateId as string))
    .where('uploadedAt', '>=', sql<number>`"spans"."from"`)
    .where('uploadedAt', '<', sql<number>`"spans"."until"`)
    .select((eb) => eb.fn.countAll<number>().as('count'));
  const { rows: counted } = await sql<{ count: number }>`
    with "spans" ("from", "until") as (values ${sql.join(rows)})
    select (${within}) as "count" from "spans" order by "from"`.execute(reader);
  return counted.map(({ count }) => Number(count));
}

/** The position of a memory in a list's order. */
export function positionOf(row: MemoryRow, sort: MemorySort): Position {
  return { value: row[ORDERS[sort][0]], id: row.id };
}

/** How many memories a list holds. */
export async function countMemories(reader: Reader, coupleId: CoupleId, dateId: string | null): Promise<number> {
  let query = liveMemories(reader, coupleId).select((eb) => eb.fn.countAll<number>().as('count'));
  if (dateId !== null) query = query.where('dateId', '=', dateId);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** Statistics of a date's memories. `first` and `last` are null if there are none. */
export async function memoryFigures(reader: Reader, coupleId: CoupleId, dateId: string) {
  const row = await liveMemories(reader, coupleId)
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
