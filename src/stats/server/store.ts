import { sql } from 'kysely';
import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { DatesTable } from '../../base/server/db/tables.ts';
import { minutesBetween } from '../../base/time.ts';
import { liveMemories } from '../../memories/server/store.ts';
import type { PhotographedDate } from '../records.ts';
import type { CompletedDate } from '../rules.ts';

/** Reads the completed dates that aren't deleted, with their ideas, which may be. */
export async function completedDates(reader: Reader, coupleId: CoupleId): Promise<CompletedDate[]> {
  const rows = await datesWithIdeas(reader, coupleId)
    .select(['ideas.category', 'dates.actualStartTime as start', 'dates.actualEndTime as end'])
    .where('dates.status', '=', 'Completed')
    .where('dates.actualStartTime', 'is not', null)
    .where('dates.actualEndTime', 'is not', null)
    .$narrowType<{ start: number; end: number }>()
    .execute();
  return rows.map((row) => ({ ...row, minutes: minutesBetween(row.start, row.end) }));
}

function datesWithIdeas(reader: Reader, coupleId: CoupleId) {
  return reader
    .selectFrom('dates')
    .innerJoin('ideas', (join) =>
      join.onRef('ideas.coupleId', '=', 'dates.coupleId').onRef('ideas.id', '=', 'dates.ideaId'),
    )
    .select(['dates.id', 'ideas.title', 'dates.plannedDateTime'])
    .where('dates.coupleId', '=', coupleId)
    .where('dates.deletedAt', 'is', null);
}

/** Reads every date that has memories, with their number. */
export function photographedDates(reader: Reader, coupleId: CoupleId): Promise<PhotographedDate[]> {
  const counts = liveMemories(reader, coupleId)
    .select((row) => ['dateId', row.fn.countAll<number>().as('memories')])
    .groupBy('dateId');
  return datesWithIdeas(reader, coupleId)
    .innerJoin(counts.as('counts'), 'counts.dateId', 'dates.id')
    .select((row) => [row.fn.coalesce('dates.actualStartTime', 'dates.plannedDateTime').as('start'), 'counts.memories'])
    .execute();
}

/** Counts the memories and sums the size of their originals in bytes. */
export async function memoryTotals(reader: Reader, coupleId: CoupleId): Promise<{ total: number; bytes: number }> {
  const totals = await liveMemories(reader, coupleId)
    .select((row) => [
      row.fn.countAll<number>().as('total'),
      // In PostgreSQL, the sum of bigints is a numeric, which the driver returns as text.
      sql<number>`cast(coalesce(sum("fileSizeBytes"), 0) as bigint)`.as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  return totals;
}

/** Counts the dates by status, and how many of each are still ahead. */
export function datesByStatus(
  reader: Reader,
  coupleId: CoupleId,
  now: number,
): Promise<{ status: DatesTable['status']; count: number; ahead: number }[]> {
  return reader
    .selectFrom('dates')
    .select((row) => [
      'status',
      row.fn.countAll<number>().as('count'),
      row.fn.count<number>(row.case().when('plannedDateTime', '>=', now).then(1).end()).as('ahead'),
    ])
    .where('coupleId', '=', coupleId)
    .where('deletedAt', 'is', null)
    .groupBy('status')
    .execute();
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
