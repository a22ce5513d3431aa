import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';

/** How many dates each of these couples has, without those in the trash. For the operator only. */
export async function countDatesOfCouples(
  reader: Reader,
  coupleIds: readonly CoupleId[],
): Promise<Map<CoupleId, number>> {
  const rows = await reader
    .selectFrom('dates')
    .select(({ fn }) => ['coupleId', fn.countAll<number>().as('count')])
    .where('coupleId', 'in', coupleIds)
    .where('deletedAt', 'is', null)
    .groupBy('coupleId')
    .execute();
  return new Map(rows.map(({ coupleId, count }) => [coupleId, count]));
}
