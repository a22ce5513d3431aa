import type { FastifyRequest } from 'fastify';
import type { Refusal } from '../../../base/refusal.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { AssertedCredential } from '../../passkey-contract.ts';
import type { AuthServices } from '../auth-services.ts';
import { getAccount } from '../user-store.ts';
import { expectedAnswer, SIGN_IN } from './passkey-challenge.ts';
import { findPasskey } from './passkey-store.ts';
import { verifyWithKey } from './verify-with-webauthn.ts';

/**
 * Verifies a passkey's assertion.
 * @param session whose user the passkey must belong to; null to sign in
 * @throws `wrong`, or Refusal 429
 */
export async function verifyAssertion(
  auth: AuthServices,
  request: FastifyRequest,
  answer: AssertedCredential,
  session: Session | null,
  wrong: Refusal,
) {
  const { deps, rateLimits } = auth;
  const passkey = await findPasskey(deps.db.read, answer.id);
  const isOwn = session === null || (passkey?.coupleId === session.coupleId && passkey.userId === session.userId);
  const owner = session ?? passkey;
  const account = owner && (await getAccount(deps.db.read, owner.coupleId, owner.userId));
  const attempt = {
    address: request.ip,
    ...(account ? { account: account.emailKey } : {}),
    ...(session ? { device: session.sessionId } : {}),
  };
  const expected = expectedAnswer(auth, request, SIGN_IN, deps.now());
  return rateLimits.attempt(attempt, () => verifyWithKey(answer, isOwn ? passkey : undefined, expected), wrong);
}
