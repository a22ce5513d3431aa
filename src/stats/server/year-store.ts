import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import { countByDate } from '../../memories/server/count-store.ts';
import { liveMemories, type MemoryRow } from '../../memories/server/store.ts';
import { byYear } from '../year.ts';
import { type PlacedDate, timeZoneOf } from './store.ts';

/** A period: from its first instant to before its last, in milliseconds. */
export interface Span {
  readonly from: number;
  readonly until: number;
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
            .orderBy('happenedAt')
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

/**
 * Reads the completed dates with their numbers of memories by year in the couple's zone, latest first (stats.year.1).
 * @param completed the completed dates
 */
export async function readYears(reader: Reader, coupleId: CoupleId, completed: Promise<readonly PlacedDate[]>) {
  const [zone, dates, counts] = await Promise.all([
    timeZoneOf(reader, coupleId),
    completed,
    countByDate(reader, coupleId, null),
  ]);
  return {
    zone,
    years: byYear(
      dates.map((date) => ({ ...date, memories: counts.get(date.id) ?? 0 })),
      zone,
    ),
  };
}
