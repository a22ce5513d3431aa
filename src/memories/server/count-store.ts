import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import { sumOf } from '../../base/server/db/sum-of.ts';
import type { Sight } from '../../base/server/sight.ts';

/** How many memories there are, and the size of their originals in bytes. */
export interface MemoryTotals {
  readonly memories: number;
  readonly bytes: number;
}

/** A query of the number of each date's memories that aren't in the trash. Dates that never had any are missing. */
function liveCounts(reader: Reader, coupleId: CoupleId) {
  return reader
    .selectFrom('memoryCounts')
    .where('memoryCounts.coupleId', '=', coupleId)
    .where('memoryCounts.memories', '>', 0);
}

/** The same of the dates whose memories a partner may see: without hidden ones (contract 6, Surprises). */
export function visibleCounts(reader: Reader, { coupleId, hiddenDates }: Sight) {
  const live = liveCounts(reader, coupleId);
  return hiddenDates.length === 0 ? live : live.where('memoryCounts.dateId', 'not in', hiddenDates);
}

/** Counts the memories that a partner may see, of all dates or of one, and sums the size of their originals. */
export function readMemoryTotals(reader: Reader, sight: Sight, dateId: string | null = null): Promise<MemoryTotals> {
  return visibleCounts(reader, sight)
    .$if(dateId !== null, (query) => query.where('dateId', '=', dateId))
    .select((row) => [sumOf(row.ref('memories')).as('memories'), sumOf(row.ref('bytes')).as('bytes')])
    .executeTakeFirstOrThrow();
}

/** Counts the memories of each of these dates (null: all dates). A date without memories is not in the map. */
export async function countByDate(
  reader: Reader,
  coupleId: CoupleId,
  dateIds: readonly string[] | null,
): Promise<Map<string, number>> {
  if (dateIds?.length === 0) return new Map();
  const rows = await liveCounts(reader, coupleId)
    .$if(dateIds !== null, (query) => query.where('dateId', 'in', dateIds))
    .select(['dateId', 'memories'])
    .execute();
  return new Map(rows.map(({ dateId, memories }) => [dateId, memories]));
}
