import type { FastifyRequest } from 'fastify';
import { type Refusal, refuseField } from '../../../base/refusal.ts';
import type { Session } from '../../../base/server/calls/route.ts';
import type { AssertedCredential } from '../../passkey-contract.ts';
import { authLimits } from '../../rules.ts';
import { assertOwnOrigin, ownOrigin } from '../origin.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import type { AuthServices } from '../session/sessions.ts';
import { assertCurrentPassword } from '../settings/profile-routes.ts';
import { getAccount } from '../store.ts';
import { consumeChallenge, findPasskey, insertChallenge, recordPasskeyUse } from './passkey-store.ts';
import { type Expected, verifyWithKey } from './verify-passkey.ts';

/** The purpose of a challenge for signing in. */
export const SIGN_IN = 'sign in';

/** How a user re-authenticates: one of the two. */
interface Proof {
  readonly currentPassword?: string | null | undefined;
  readonly passkey?: AssertedCredential | null | undefined;
}

/** Creates a challenge for a purpose. It is stored as a hash, and valid once for five minutes. */
export async function createChallenge({ deps: { db } }: AuthServices, purpose: string, now: number) {
  const secret = newSecret(256);
  const row = { challengeHash: hashOfSecret(secret), purpose, expiresAt: now + authLimits.challenge };
  await db.write((tx) => insertChallenge(tx, db.engine, row, now));
  return Uint8Array.from(Buffer.from(secret));
}

/** What the answer to a challenge of this purpose must match, at the origin of the requesting page. */
export function expectedAnswer(
  { deps: { db, config } }: AuthServices,
  request: FastifyRequest,
  purpose: string,
  now: number,
): Expected {
  return {
    origin: pageOrigin(config, request),
    consume: (challenge) =>
      db.write((tx) =>
        consumeChallenge(tx, hashOfSecret(Buffer.from(challenge, 'base64url').toString()), purpose, now),
      ),
  };
}

/**
 * Verifies a passkey's assertion.
 * @param device the session that the passkey must belong to; null to sign in
 * @throws `wrong`, or Refusal 429
 */
export async function verifyAssertion(
  auth: AuthServices,
  request: FastifyRequest,
  answer: AssertedCredential,
  device: Session | null,
  wrong: Refusal,
) {
  const { deps, rateLimits } = auth;
  const passkey = await findPasskey(deps.db.read, answer.id);
  const isOwn = device === null || (passkey?.coupleId === device.coupleId && passkey.userId === device.userId);
  const owner = device ?? passkey;
  const account = owner && (await getAccount(deps.db.read, owner.coupleId, owner.userId));
  const attempt = {
    address: request.ip,
    ...(account ? { account: account.emailKey } : {}),
    ...(device ? { device: device.sessionId } : {}),
  };
  const expected = expectedAnswer(auth, request, SIGN_IN, deps.now());
  return rateLimits.attempt(attempt, () => verifyWithKey(answer, isOwn ? passkey : undefined, expected), wrong);
}

/** Re-authenticates the user, because the device may be unattended. @throws Refusal 400, 429 */
export async function reauthenticate(
  auth: AuthServices,
  request: FastifyRequest,
  session: Session,
  { currentPassword, passkey }: Proof,
): Promise<void> {
  const { db, now } = auth.deps;
  if (passkey) {
    const { used, counter } = await verifyAssertion(auth, request, passkey, session, wrongPasskey());
    if (!(await db.write((tx) => recordPasskeyUse(tx, used, counter, now())))) throw wrongPasskey();
  } else if (currentPassword) await assertCurrentPassword(auth, request, session, currentPassword);
  else throw refuseField('currentPassword', 'Current password is required');
}

function wrongPasskey(): Refusal {
  return refuseField('passkey', 'This is not one of your passkeys. Please use another one, or your password.');
}

/** The domain that a passkey of the requesting page belongs to. */
export function passkeyDomain({ deps: { config } }: AuthServices, request: FastifyRequest): string {
  return new URL(pageOrigin(config, request)).hostname;
}

/** The origin of the requesting page, checked to be ours. Behind a proxy, only the browser knows it for sure. */
function pageOrigin(config: AuthServices['deps']['config'], request: FastifyRequest): string {
  assertOwnOrigin(config, request);
  return new URL(request.headers.origin ?? ownOrigin(config, request)).origin;
}

/** The library's options as JSON has them on the wire, without undefined fields. */
export function optionsReply(options: object): { challenge: string; [key: string]: unknown } {
  return JSON.parse(JSON.stringify(options)) as { challenge: string };
}
