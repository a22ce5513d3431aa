import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';

function completed(reader: Reader, coupleId: CoupleId) {
  return reader
    .selectFrom('dates')
    .where('coupleId', '=', coupleId)
    .where('status', '=', 'Completed')
    .where('deletedAt', 'is', null)
    .where('actualStartTime', 'is not', null);
}

/** When the first completed date really began; null without one. */
export async function firstStart(reader: Reader, coupleId: CoupleId): Promise<number | null> {
  const first = await completed(reader, coupleId)
    .select('actualStartTime')
    .orderBy('actualStartTime')
    .limit(1)
    .executeTakeFirst();
  return first?.actualStartTime ?? null;
}

/** The completed dates that really began in one of these stretches of time, by the index of their beginnings. */
export function startedWithin(
  reader: Reader,
  coupleId: CoupleId,
  windows: readonly { readonly from: number; readonly until: number }[],
): Promise<{ id: string; start: number }[]> {
  return completed(reader, coupleId)
    .select(['id', 'actualStartTime as start'])
    .where(({ or, and, eb }) =>
      or(windows.map(({ from, until }) => and([eb('actualStartTime', '>=', from), eb('actualStartTime', '<', until)]))),
    )
    .$narrowType<{ start: number }>()
    .execute();
}
