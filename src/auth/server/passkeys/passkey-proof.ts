import type { FastifyRequest } from 'fastify';
import type { Refusal } from '../../../base/refusal.ts';
import type { Session } from '../../../base/server/calls/route.ts';
import type { AssertedCredential } from '../../passkey-contract.ts';
import { assertOwnOrigin, ownOrigin } from '../origin.ts';
import { hashOfSecret } from '../secrets.ts';
import type { AuthServices } from '../session/sessions.ts';
import { getAccount } from '../store.ts';
import { consumeChallenge, findPasskey, insertChallenge } from './passkey-store.ts';
import { type Expected, verifyWithKey } from './verify-passkey.ts';

/** The purpose of a challenge for signing in. */
export const SIGN_IN = 'sign in';

/** Creates a challenge for a purpose. */
export async function createChallenge({ deps: { db } }: AuthServices, purpose: string, now: number) {
  const secret = await db.write((tx) => insertChallenge(tx, purpose, now));
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
