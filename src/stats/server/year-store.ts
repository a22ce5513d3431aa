import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import { minutesBetween } from '../../base/time.ts';
import { COMPLETED } from '../../dates/server/store.ts';
import { liveMemories, type MemoryRow } from '../../memories/server/store.ts';
import { type DateSum, totalMinutesOf } from '../rules.ts';
import { byYear, type YearDate } from '../year.ts';
import { datesWithIdeas, timeZoneOf } from './store.ts';

/** A period: from its first instant to before its last, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Reads the completed dates that started within a period, with their places and numbers of memories. */
export async function completedDatesWithin(
  reader: Reader,
  coupleId: CoupleId,
  { from, until }: Span,
): Promise<YearDate[]> {
  const rows = await datesWithIdeas(reader, coupleId)
    .leftJoin('memoryCounts', (join) =>
      join.onRef('memoryCounts.coupleId', '=', 'dates.coupleId').onRef('memoryCounts.dateId', '=', 'dates.id'),
    )
    .select((row) => [
      'ideas.category',
      'dates.location',
      'dates.actualStartTime as start',
      'dates.actualEndTime as end',
      row.fn.coalesce('memoryCounts.memories', row.lit(0)).as('memories'),
    ])
    .where('dates.status', '=', COMPLETED)
    .where('dates.actualStartTime', '>=', from)
    .where('dates.actualStartTime', '<', until)
    .where('dates.actualEndTime', 'is not', null)
    .$narrowType<{ start: number; end: number }>()
    .execute();
  return rows.map((row) => ({ ...row, minutes: minutesBetween(row.start, row.end) }));
}

/** Counts the ideas that were added within a period and aren't deleted. */
export async function countNewIdeas(reader: Reader, coupleId: CoupleId, { from, until }: Span): Promise<number> {
  const { count } = await reader
    .selectFrom('ideas')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('coupleId', '=', coupleId)
    .where('deletedAt', 'is', null)
    .where('createdAt', '>=', from)
    .where('createdAt', '<', until)
    .executeTakeFirstOrThrow();
  return count;
}

/** Reads one memory of each of these dates: the first one with a caption, or else the first one. */
export async function memoryOfEach(
  reader: Reader,
  coupleId: CoupleId,
  dateIds: readonly string[],
): Promise<Map<string, MemoryRow>> {
  if (dateIds.length === 0) return new Map();
  const ranked = liveMemories(reader, coupleId)
    .where('dateId', 'in', dateIds)
    .select((row) => [
      'id',
      row.fn
        .agg<number>('row_number')
        .over((over) =>
          over
            .partitionBy('dateId')
            .orderBy(row.case().when('caption', 'is', null).then(1).else(0).end())
            .orderBy('uploadedAt')
            .orderBy('id'),
        )
        .as('rank'),
    ]);
  const rows = await liveMemories(reader, coupleId)
    .selectAll('memories')
    .where('memories.id', 'in', (row) => row.selectFrom(ranked.as('ranked')).select('ranked.id').where('rank', '=', 1))
    .execute();
  return new Map(rows.map((row) => [row.dateId, row]));
}

/** The completed dates of a year, their minutes and memories. */
export interface YearFigures extends Required<DateSum> {
  readonly year: number;
  readonly memories: number;
}

/** Sums the completed dates of each year that has any in the couple's zone, latest first (contract 6, Our year). */
export async function readYears(reader: Reader, coupleId: CoupleId): Promise<YearFigures[]> {
  const dates = await completedDatesWithin(reader, coupleId, EVER);
  return byYear(dates, await timeZoneOf(reader, coupleId)).map(({ year, dates: own }) => ({
    year,
    dates: own.length,
    minutes: totalMinutesOf(own),
    memories: own.reduce((sum, { memories }) => sum + memories, 0),
  }));
}

const EVER: Span = { from: Number.MIN_SAFE_INTEGER, until: Number.MAX_SAFE_INTEGER };
