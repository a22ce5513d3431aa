import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Writer } from '../../base/server/db/db.ts';
import { deleteSessions } from './session/session-store.ts';

/**
 * Ends everything that gave access with a user's old password, apart from passkeys: the sessions, the links that the user
 * or somebody at their unlocked phone has made (an invitation, a recovery link for the partner, the calendar's address),
 * and the recovery links for the user.
 * @param except the id of the session that stays
 */
export async function endAccess(tx: Writer, coupleId: CoupleId, userId: UserId, except: string | null): Promise<void> {
  await deleteSessions(tx, coupleId, userId, except);
  await tx
    .deleteFrom('codes')
    .where('coupleId', '=', coupleId)
    .where((code) => code.or([code('createdBy', '=', userId), code('forUser', '=', userId)]))
    .execute();
  await tx.deleteFrom('calendarLinks').where('coupleId', '=', coupleId).where('userId', '=', userId).execute();
}
