import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import { COMPLETED } from '../../dates/server/store.ts';

/** Reads the actual start of the first completed date; null without one. */
export async function readFirstStart(reader: Reader, coupleId: CoupleId): Promise<number | null> {
  const first = await reader
    .selectFrom('dates')
    .select('actualStartTime')
    .where('coupleId', '=', coupleId)
    .where('status', '=', COMPLETED)
    .where('deletedAt', 'is', null)
    .where('actualStartTime', 'is not', null)
    .orderBy('actualStartTime')
    .limit(1)
    .executeTakeFirst();
  return first?.actualStartTime ?? null;
}

/**
 * Reads the completed dates that started within one of these ranges. The couple's id is repeated in each range: outside
 * of the `or`, SQLite would scan all of the couple's dates.
 */
export async function readDatesStartedWithin(
  reader: Reader,
  coupleId: CoupleId,
  windows: readonly { readonly from: number; readonly until: number }[],
): Promise<{ id: string; start: number }[]> {
  if (windows.length === 0) return [];
  return reader
    .selectFrom('dates')
    .select(['id', 'actualStartTime as start'])
    .where(({ or, and, eb }) =>
      or(
        windows.map(({ from, until }) =>
          and([
            eb('coupleId', '=', coupleId),
            eb('actualStartTime', '>=', from),
            eb('actualStartTime', '<', until),
            eb('status', '=', COMPLETED),
            eb('deletedAt', 'is', null),
          ]),
        ),
      ),
    )
    .$narrowType<{ start: number }>()
    .execute();
}
