import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import { paths } from '../../../paths.ts';
import { isCommonPassword } from '../../common-passwords.ts';
import { authLimits, passwordFault } from '../../rules.ts';
import { endAllAccess } from '../end-access.ts';
import { aboutRemoved, type MailDeps, tellByMail } from '../mail/tell-by-mail.ts';
import { issueCode } from '../one-time-code-store.ts';
import { updatePassword } from '../user-store.ts';

/** Identifies an account for the operator, who has no session. */
export interface AccountId {
  readonly coupleId: CoupleId;
  readonly userId: UserId;
}

/**
 * Creates a link for a new password, for a user whose partner can't create one. It works once, for one hour, and
 * ends all sessions when it is used.
 * @returns its path below the public address
 */
export async function createOperatorRecovery(
  tx: Writer,
  { coupleId, userId }: AccountId,
  now: number,
): Promise<string> {
  const recovery = { kind: 'recovery', createdBy: userId, forUser: userId } as const;
  const { code } = await issueCode(tx, coupleId, { ...recovery, bits: 128, lifetime: authLimits.recovery }, now);
  return paths.recover(code);
}

/** What is wrong with a password that the operator sets, or null. */
export function operatorPasswordFault(password: string): string | null {
  return passwordFault(password) ?? (isCommonPassword(password) ? 'Password is too common' : null);
}

/** Sets a password, ends all access with the old one, passkeys and a provider included, and tells the user by mail. */
export async function resetPassword(deps: MailDeps, tx: Writer, user: AccountId, passwordHash: string): Promise<void> {
  const { coupleId, userId } = user;
  await updatePassword(tx, coupleId, userId, passwordHash);
  const removed = await endAllAccess(tx, coupleId, userId, { keepPasskeys: false, isMailed: false, now: deps.now() });
  await tellByMail(deps, tx, user, 'newPassword', aboutRemoved(removed));
}
