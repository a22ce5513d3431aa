import type { FastifyRequest } from 'fastify';
import type { AuthServices } from '../auth-services.ts';
import { assertOwnOrigin, ownOrigin } from '../origin.ts';
import { hashOfSecret } from '../secrets.ts';
import { consumeChallenge, insertChallenge } from './passkey-store.ts';
import type { Expected } from './verify-with-webauthn.ts';

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
