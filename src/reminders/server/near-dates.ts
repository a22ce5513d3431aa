import type { Reader } from '../../base/server/db/db.ts';
import { inOrderAfter } from '../../base/server/db/in-order-after.ts';
import type { CouplesTable, DatesTable } from '../../base/server/db/tables/tables.ts';
import { HORIZON } from '../due-reminders.ts';

/** A date whose reminders may be due, with the couple's time zone. */
export type NearDate = Pick<
  DatesTable,
  'coupleId' | 'id' | 'status' | 'plannedDateTime' | 'endDateTime' | 'actualStartTime'
> &
  Pick<CouplesTable, 'timeZone'>;

/** Reads the dates of a status whose reminders may be due, of all couples with a device. For the scheduler only. */
export function datesAround(
  reader: Reader,
  status: DatesTable['status'],
  now: number,
  after: NearDate | null,
  limit: number,
): Promise<NearDate[]> {
  const near = reader
    .selectFrom('dates')
    .innerJoin('couples', 'couples.id', 'dates.coupleId')
    .select(['dates.coupleId', 'dates.id', 'dates.status', 'dates.plannedDateTime', 'dates.endDateTime'])
    .select(['dates.actualStartTime', 'couples.timeZone'])
    .where('dates.status', '=', status)
    .where('dates.plannedDateTime', '>', now - HORIZON.before)
    .where('dates.plannedDateTime', '<', now + HORIZON.ahead)
    .where(({ eb, fn }) =>
      eb(
        fn.coalesce('dates.endDateTime', 'dates.actualStartTime', 'dates.plannedDateTime'),
        '>',
        now - HORIZON.afterEnd,
      ),
    )
    .where('dates.deletedAt', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('pushDevices').select('sessionId').whereRef('pushDevices.coupleId', '=', 'dates.coupleId')),
    );
  return inOrderAfter(
    near,
    ['dates.plannedDateTime', 'dates.coupleId', 'dates.id'],
    after && [after.plannedDateTime, after.coupleId, after.id],
  )
    .limit(limit)
    .execute();
}
