import { uuidv7 } from 'uuidv7';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import { paths } from '../../../paths.ts';
import { isCommonPassword } from '../../common-passwords.ts';
import { authLimits, passwordFault } from '../../rules.ts';
import { insertCode, voidCodes } from '../code-store.ts';
import { deletePasskeys } from '../passkeys/passkey-store.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import { deleteSessions } from '../session/session-store.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { updatePassword } from '../store.ts';

/** An account, as whoever keeps the server gets at it: without a session. */
export interface Whose {
  readonly coupleId: CoupleId;
  readonly userId: UserId;
}

/**
 * A recovery made on the server, for somebody whose partner can't make one: one use, one hour, and it ends all sessions
 * when it is used.
 * @returns its path below the public address, and when it ends
 */
export async function makeRecovery(
  tx: Writer,
  { coupleId, userId }: Whose,
  now: number,
): Promise<{ path: string; expiresAt: number }> {
  const code = newSecret(128);
  const expiresAt = now + authLimits.recovery;
  const row = { id: uuidv7(), codeHash: hashOfSecret(code), createdBy: userId, forUser: userId, createdAt: now };
  await insertCode(tx, coupleId, { kind: 'recovery', ...row, expiresAt });
  return { path: paths.recover(code), expiresAt };
}

/** What is wrong with a password that is to be set on the server, or null. */
export function adminPasswordFault(password: string): string | null {
  return passwordFault(password) ?? (isCommonPassword(password) ? 'Password is one of the commonest of all' : null);
}

/** Sets a password: all sessions, recoveries and passkeys of its user end. */
export async function resetPassword(tx: Writer, { coupleId, userId }: Whose, passwordHash: string): Promise<void> {
  await updatePassword(tx, coupleId, userId, passwordHash);
  await deleteSessions(tx, coupleId, userId, null);
  await voidCodes(tx, coupleId, 'recovery', userId);
  await deletePasskeys(tx, coupleId, userId);
}

/** The hash of a password that nobody knows: for an account whose user sets one by a recovery. */
export function unknownPassword(): Promise<string> {
  return hashPassword(newSecret(256));
}
