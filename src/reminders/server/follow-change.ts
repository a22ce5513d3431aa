import type { Change } from '../../base/change.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Writer } from '../../base/server/db/db.ts';
import { countPhotograph } from './photo-reminders.ts';
import { requestCheck } from './reminder-checks.ts';

/**
 * Follows a change in its transaction: counts a new photograph, and asks for a check if a reminder may be due now.
 * @param only the partner who alone may know of it
 */
export async function followChange(
  now: number,
  tx: Writer,
  coupleId: CoupleId,
  change: Change,
  only?: UserId,
): Promise<void> {
  if (only === undefined) await countPhotograph(now, tx, coupleId, change);
  if (change.entity === 'plannedDate' || change.entity === 'couple') await requestCheck(tx, coupleId, now);
}
