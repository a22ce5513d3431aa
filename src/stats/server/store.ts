import { minutesBetween } from '../../base/durations.ts';
import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import { prepareQuery } from '../../base/server/db/prepare-query.ts';
import type { DatesTable } from '../../base/server/db/tables/tables.ts';
import type { Visibility } from '../../base/server/visibility.ts';
import { usableZone } from '../../base/time-zones.ts';
import { visibleMemories } from '../../memories/server/store.ts';
import type { CompletedDate } from '../completed-dates.ts';
import type { PhotographedDate } from '../records.ts';

/** A completed date with its place. */
export type PlacedDate = CompletedDate & Pick<DatesTable, 'location'>;

/** A query of the couple's dates that aren't deleted, with their ideas, which may be. */
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

const completedDates = prepareQuery<
  { readonly coupleId: CoupleId; readonly status: DatesTable['status'] },
  Omit<PlacedDate, 'minutes'>
>((reader, value) =>
  datesWithIdeas(reader, value('coupleId'))
    .select(['ideas.category', 'dates.location', 'dates.actualStartTime as start', 'dates.actualEndTime as end'])
    .where('dates.status', '=', value('status'))
    .where('dates.actualStartTime', 'is not', null)
    .where('dates.actualEndTime', 'is not', null)
    .$narrowType<{ start: number; end: number }>(),
);

/** Reads the completed dates that aren't deleted, in no order. All figures of a history are made of them. */
export async function readCompletedDates(reader: Reader, coupleId: CoupleId): Promise<PlacedDate[]> {
  const rows = await completedDates(reader, { coupleId, status: 'Completed' });
  return rows.map((row) => ({ ...row, minutes: minutesBetween(row.start, row.end) }));
}

/** Reads the dates that have memories that a partner may see, with the number of these, in no order. */
export async function readPhotographedDates(reader: Reader, visibility: Visibility): Promise<PhotographedDate[]> {
  const counts = visibleMemories(reader, visibility)
    .select(({ fn }) => ['dateId', fn.countAll<number>().as('memories')])
    .groupBy('dateId');
  const rows = await datesWithIdeas(reader, visibility.coupleId)
    .innerJoin(counts.as('counts'), 'counts.dateId', 'dates.id')
    .select(['dates.actualStartTime', 'counts.memories'])
    .execute();
  return rows.map(({ actualStartTime, ...row }) => ({ ...row, start: actualStartTime ?? row.plannedDateTime }));
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
  return usableZone(couple.timeZone);
}
