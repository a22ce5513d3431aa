import type { CoupleId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';

/** When the first completed date really began; null without one. */
export async function readFirstStart(reader: Reader, coupleId: CoupleId): Promise<number | null> {
  const first = await reader
    .selectFrom('dates')
    .select('actualStartTime')
    .where('coupleId', '=', coupleId)
    .where('status', '=', 'Completed')
    .where('deletedAt', 'is', null)
    .where('actualStartTime', 'is not', null)
    .orderBy('actualStartTime')
    .limit(1)
    .executeTakeFirst();
  return first?.actualStartTime ?? null;
}

/**
 * The completed dates that really began in one of these stretches of time. Each has the couple's id beside its bounds:
 * with that apart, SQLite would read through all that the couple ever did.
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
            eb('status', '=', 'Completed'),
            eb('deletedAt', 'is', null),
          ]),
        ),
      ),
    )
    .$narrowType<{ start: number }>()
    .execute();
}
