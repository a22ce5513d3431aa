import type { FastifyRequest } from 'fastify';
import { invalidField, type Refusal } from '../../base/refusal.ts';
import type { Session } from '../../base/server/calls/session.ts';
import type { Confirmation } from '../confirmation.ts';
import type { AuthServices } from './auth-services.ts';
import { consumeChallenge, recordPasskeyUse } from './passkeys/passkey-store.ts';
import { verifyAssertion } from './passkeys/verify-assertion.ts';
import { hashOfSecret } from './secrets.ts';
import { isPassword } from './sign-in/passwords.ts';
import { type AccountOfUser, getAccount } from './user-store.ts';

/**
 * Confirms that the user is at the device, which may be unattended: by the password, a passkey, or a proof of the OpenID
 * provider. Failures count in the limit of sign-ins. The transaction that follows locks the account with `lockAccount`, so
 * that a new password at the same moment ends what this has allowed.
 * @throws Refusal 400 for the field that is wrong, or for `currentPassword` if none is given; 429
 */
export async function confirmUser(
  auth: AuthServices,
  request: FastifyRequest,
  session: Session,
  { currentPassword, passkey, oidcProof }: Confirmation,
): Promise<AccountOfUser> {
  const { deps, rateLimits } = auth;
  const { db, now } = deps;
  const account = await getAccount(db.read, session.coupleId, session.userId);
  const attempt = { address: request.ip, account: account.emailKey, device: session.sessionId };
  if (passkey) {
    const { used, counter } = await verifyAssertion(auth, request, passkey, session, wrongPasskey());
    if (!(await db.write((tx) => recordPasskeyUse(tx, used, counter, now())))) throw wrongPasskey();
  } else if (oidcProof) {
    const use = () => db.write((tx) => consumeChallenge(tx, hashOfSecret(oidcProof), oidcProofPurpose(session), now()));
    await rateLimits.attempt(attempt, async () => (await use()) || null, wrongOidcProof());
  } else if (currentPassword) {
    const check = async () => (await isPassword(currentPassword, account.passwordHash)) || null;
    await rateLimits.attempt(attempt, check, wrongCurrentPassword());
  } else throw invalidField('currentPassword', 'Current password is required');
  return account;
}

/** The purpose of a challenge that stands for a proof of the OpenID provider: only the session that got it can use it. */
export function oidcProofPurpose({ sessionId }: Session): string {
  return `openid proof for ${sessionId}`;
}

export function wrongCurrentPassword(): Refusal {
  return invalidField('currentPassword', 'This is not your current password.');
}

function wrongPasskey(): Refusal {
  return invalidField('passkey', 'This is not one of your passkeys. Please use another one, or your password.');
}

function wrongOidcProof(): Refusal {
  return invalidField('oidcProof', 'This confirmation was used already, or is too old. Please confirm again.');
}
