import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Writer } from '../../base/server/db/db.ts';
import { dropMailsAbout, dropMailsTo } from '../../base/server/mail/mail-queue.ts';
import type { RemovedWays } from './mail/tell-by-mail.ts';
import { deleteConnection } from './oidc/connection-store.ts';
import { deleteCodes } from './one-time-code-store.ts';
import { deletePasskeys } from './passkeys/passkey-store.ts';
import { deleteSessions } from './session/session-store.ts';
import { getAccount, setVerifiedEmail } from './user-store.ts';

/**
 * Ends everything that gave access with a user's old password, apart from passkeys: the sessions, the links that the user
 * or somebody at their unlocked phone has made (an invitation, a recovery link for the partner, the calendar's address),
 * and the links for a new password of the user, also those whose mail still waits.
 * @param except the id of the session that stays
 */
export async function endAccess(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  except: string | null,
  now: number,
): Promise<void> {
  await deleteSessions(tx, coupleId, userId, except);
  await tx
    .deleteFrom('codes')
    .where('coupleId', '=', coupleId)
    .where((code) => code.or([code('createdBy', '=', userId), code('forUser', '=', userId)]))
    .where('kind', '!=', 'email')
    .execute();
  await dropMailsTo(tx, (await getAccount(tx, coupleId, userId)).emailKey, 'recovery', now);
  await tx.deleteFrom('calendarLinks').where('coupleId', '=', coupleId).where('userId', '=', userId).execute();
}

/**
 * Ends everything that somebody else could hold who had an account to themselves: what `endAccess` ends, all sessions, the
 * links that confirm an address, also those whose mail still waits, and every other way to sign in. A user who has recovered
 * the account may keep the passkeys. Unless the link was mailed to it, the confirmed address is no longer confirmed: it may
 * be theirs, and would bring them a link at once.
 * @returns which other ways to sign in it has removed
 */
export async function endAllAccess(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  { keepPasskeys, isMailed, now }: { readonly keepPasskeys: boolean; readonly isMailed: boolean; readonly now: number },
): Promise<RemovedWays> {
  await endAccess(tx, coupleId, userId, null, now);
  await deleteCodes(tx, coupleId, { kind: 'email', forUser: userId });
  await dropMailsAbout(tx, { coupleId, userId }, 'email', now);
  if (!isMailed) await setVerifiedEmail(tx, coupleId, userId, null);
  return {
    provider: await deleteConnection(tx, coupleId, userId),
    passkeys: !keepPasskeys && (await deletePasskeys(tx, coupleId, userId)) > 0,
  };
}
