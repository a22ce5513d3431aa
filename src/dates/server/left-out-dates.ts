import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import { isLeftOut } from '../look-back.ts';

/** Reads the ids of the dates on which a user doesn't want to look back. */
export async function readLeftOutDates(reader: Reader, { coupleId, userId }: Viewer): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom('dates')
    .select(['id', 'notLookedBackBy'])
    .where('coupleId', '=', coupleId)
    .where('notLookedBackBy', 'is not', null)
    .execute();
  return new Set(rows.filter((row) => isLeftOut(userId, row.notLookedBackBy)).map(({ id }) => id));
}
