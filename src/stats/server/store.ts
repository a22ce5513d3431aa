import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import { sumOf } from '../../base/server/db/sum-of.ts';
import type { DatesTable, MemoryCountsTable, Tables } from '../../base/server/db/tables.ts';
import type { Sight } from '../../base/server/sight.ts';
import { MINUTE, minutesBetween } from '../../base/time.ts';
import { STATUSES } from '../../dates/rules.ts';
import { COMPLETED } from '../../dates/server/store.ts';
import { monthsBetween } from '../../memories/months.ts';
import { visibleCounts } from '../../memories/server/count-store.ts';
import type { PhotographedDate } from '../records.ts';
import type { CompletedDate, DateSum } from '../rules.ts';

/** Matches completed dates that aren't deleted. */
const isCompleted = sql<SqlBool>`"dates"."status" = ${COMPLETED} and "dates"."deletedAt" is null
  and "dates"."actualStartTime" is not null and "dates"."actualEndTime" is not null`;

/** The whole minutes of a completed date, like `minutesBetween`. */
const minutesOfDate = sql<number>`case when "dates"."actualEndTime" > "dates"."actualStartTime"
  then ("dates"."actualEndTime" - "dates"."actualStartTime") / ${sql.lit(MINUTE)} else 0 end`;

const sumOfMinutes = sumOf(minutesOfDate);

function completedDates(reader: Reader, coupleId: CoupleId) {
  return reader.selectFrom('dates').where('dates.coupleId', '=', coupleId).where(isCompleted);
}

/** A month's completed dates, with an instant in the month. */
export type MonthSum = Required<DateSum> & { readonly start: number };

/** Sums the completed dates of each month in the couple's zone that has any. */
export async function readMonths(reader: Reader, coupleId: CoupleId): Promise<{ zone: string; sums: MonthSum[] }> {
  const start = (direction: 'asc' | 'desc') =>
    completedDates(reader, coupleId).select('actualStartTime').orderBy('actualStartTime', direction).limit(1);
  const { timeZone, first, last } = await reader
    .selectFrom('couples')
    .select(['timeZone', start('asc').as('first'), start('desc').as('last')])
    .where('id', '=', coupleId)
    .executeTakeFirstOrThrow();
  // Without dates, this is a month without dates.
  const spans = monthsBetween(first ?? 0, last ?? 0, timeZone);
  const values = spans.map(({ from, until }) => sql`(cast(${from} as bigint), cast(${until} as bigint))`);
  const { rows } = await sql<MonthSum>`
    with "spans" ("from", "until") as (values ${sql.join(values)})
    select "spans"."from" as "start", count(*) as "dates", ${sumOfMinutes} as "minutes"
    from "spans" cross join "dates"
    where "dates"."coupleId" = ${coupleId} and ${isCompleted}
      and "dates"."actualStartTime" >= "spans"."from" and "dates"."actualStartTime" < "spans"."until"
    group by "spans"."from"`.execute(reader);
  return { zone: timeZone, sums: rows };
}

/** Sums the completed dates of each category that has any. The ideas may be deleted. */
export function readCategories(
  reader: Reader,
  coupleId: CoupleId,
): Promise<(Required<DateSum> & Pick<CompletedDate, 'category'>)[]> {
  // Summed by idea first, so that only the ideas are joined, not each date.
  const byIdea = completedDates(reader, coupleId)
    .select((row) => ['ideaId', row.fn.countAll<number>().as('dates'), sumOfMinutes.as('minutes')])
    .groupBy('ideaId');
  return reader
    .selectFrom(byIdea.as('sums'))
    .innerJoin('ideas', 'ideas.id', 'sums.ideaId')
    .where('ideas.coupleId', '=', coupleId)
    .select(['ideas.category', 'sums.dates', 'sums.minutes'])
    .execute();
}

/** Reads the completed dates that ended first, at most `limit` or all if null. */
export async function readFirstEnded(
  reader: Reader,
  coupleId: CoupleId,
  limit: number | null,
): Promise<Pick<CompletedDate, 'end' | 'minutes'>[]> {
  const rows = await completedDates(reader, coupleId)
    .select(['actualStartTime as start', 'actualEndTime as end'])
    .orderBy('actualEndTime')
    .$if(limit !== null, (query) => query.limit(limit ?? 0))
    .$narrowType<{ start: number; end: number }>()
    .execute();
  return rows.map(({ start, end }) => ({ end, minutes: minutesBetween(start, end) }));
}

/**
 * Reads the longest, the shortest and the first completed date; of several, the one that started first. Each is found in
 * an index: the most or fewest minutes, and then the first date with them.
 */
export async function readRecordDates(reader: Reader, coupleId: CoupleId): Promise<CompletedDate[]> {
  const first = (most: 'longest' | 'shortest' | null) => {
    const minutes = completedDates(reader, coupleId)
      .select(minutesOfDate.as('minutes'))
      .orderBy(minutesOfDate, most === 'longest' ? 'desc' : 'asc')
      .limit(1);
    return completedDates(reader, coupleId)
      .select('dates.id')
      .$if(most !== null, (query) => query.where(minutesOfDate, '=', minutes))
      .orderBy('actualStartTime')
      .orderBy('id')
      .limit(1);
  };
  const rows = await datesWithIdeas(reader, coupleId)
    .select(['ideas.category', 'dates.actualStartTime as start', 'dates.actualEndTime as end'])
    .where((row) =>
      row.or([
        row('dates.id', '=', first('longest')),
        row('dates.id', '=', first('shortest')),
        row('dates.id', '=', first(null)),
      ]),
    )
    .$narrowType<{ start: number; end: number }>()
    .execute();
  return rows.map((row) => ({ ...row, minutes: minutesBetween(row.start, row.end) }));
}

/** A query of the couple's dates that aren't deleted, with their ideas, which may be. */
export function datesWithIdeas(reader: Reader, coupleId: CoupleId) {
  return reader
    .selectFrom('dates')
    .innerJoin('ideas', (join) =>
      join.onRef('ideas.coupleId', '=', 'dates.coupleId').onRef('ideas.id', '=', 'dates.ideaId'),
    )
    .select(['dates.id', 'ideas.title', 'dates.plannedDateTime'])
    .where('dates.coupleId', '=', coupleId)
    .where('dates.deletedAt', 'is', null);
}

/** From this number of dates with the most memories on, walking through the dates finds the first one sooner. */
const MANY_TIES = 50;

/** Reads the date with the most memories that a partner may see; of several, the one that started first. Undefined without memories. */
export async function readMostPhotographed(reader: Reader, sight: Sight): Promise<PhotographedDate | undefined> {
  const most = visibleCounts(reader, sight).select(({ fn }) => fn.max('memories').as('most'));
  const tied = visibleCounts(reader, sight).select(['dateId', 'memories']).where('memories', '=', most);
  const some = await photographedDates(reader, sight.coupleId, tied.limit(MANY_TIES));
  const memories = some.length === MANY_TIES ? some[0]?.memories : undefined;
  const candidates = memories === undefined ? some : await firstDatesWith(reader, sight, memories);
  return candidates.toSorted((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1))[0];
}

/** Reads the dates of some counts. */
async function photographedDates(
  reader: Reader,
  coupleId: CoupleId,
  counts: SelectQueryBuilder<Tables, 'memoryCounts', Pick<MemoryCountsTable, 'dateId' | 'memories'>>,
): Promise<PhotographedDate[]> {
  const rows = await datesWithIdeas(reader, coupleId)
    .innerJoin(counts.as('counts'), 'counts.dateId', 'dates.id')
    .select(['dates.actualStartTime', 'counts.memories'])
    .execute();
  return rows.map(({ actualStartTime, ...row }) => ({ ...row, start: actualStartTime ?? row.plannedDateTime }));
}

const NOT_COMPLETED = STATUSES.map(({ value }) => value).filter((status) => status !== 'Completed');

/** Of the dates with this number of memories, reads the first completed one, and the first of the others. */
function firstDatesWith(reader: Reader, sight: Sight, memories: number): Promise<PhotographedDate[]> {
  const withNumber = visibleCounts(reader, sight).select(['dateId', 'memories']).where('memories', '=', memories);
  const dates = reader
    .selectFrom('dates')
    .select('id')
    .where('coupleId', '=', sight.coupleId)
    .where('deletedAt', 'is', null)
    .where(({ exists }) => exists(withNumber.whereRef('dateId', '=', sql.ref('dates.id'))))
    .limit(1);
  // Each has an index: of the completed dates by their start, and of all by their status.
  const completed = dates.where('status', '=', COMPLETED).orderBy('actualStartTime').orderBy('id');
  const other = dates
    .where('status', 'in', NOT_COMPLETED)
    .orderBy((row) => row.fn.coalesce('actualStartTime', 'plannedDateTime'))
    .orderBy('id');
  const counts = withNumber.where(({ eb, or }) => or([eb('dateId', '=', completed), eb('dateId', '=', other)]));
  return photographedDates(reader, sight.coupleId, counts);
}

/** Counts the dates by status. */
export async function countByStatus(
  reader: Reader,
  coupleId: CoupleId,
): Promise<ReadonlyMap<DatesTable['status'], number>> {
  const rows = await reader
    .selectFrom('dates')
    .select((row) => ['status', row.fn.countAll<number>().as('count')])
    .where('coupleId', '=', coupleId)
    .where('deletedAt', 'is', null)
    .groupBy('status')
    .execute();
  return new Map(rows.map(({ status, count }) => [status, count]));
}

/** Counts the planned dates that are still ahead. */
export async function countAhead(reader: Reader, coupleId: CoupleId, now: number): Promise<number> {
  const { count } = await reader
    .selectFrom('dates')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('coupleId', '=', coupleId)
    .where('status', '=', 'Planned')
    .where('deletedAt', 'is', null)
    .where('plannedDateTime', '>=', now)
    .executeTakeFirstOrThrow();
  return count;
}

/** Reads the couple's time zone. */
export async function timeZoneOf(reader: Reader, coupleId: CoupleId): Promise<string> {
  const couple = await reader
    .selectFrom('couples')
    .select('timeZone')
    .where('id', '=', coupleId)
    .executeTakeFirstOrThrow();
  return couple.timeZone;
}
