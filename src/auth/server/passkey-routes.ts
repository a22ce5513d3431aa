import type { FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { notFound, Refusal } from '../../base/refusal.ts';
import type { PasskeysTable } from '../../base/server/db/tables.ts';
import type { Routes } from '../../base/server/serve.ts';
import { formatInstant } from '../../base/time.ts';
import type { authCalls } from '../contract.ts';
import type { AssertedCredential, Passkey } from '../passkey-contract.ts';
import { authLimits } from '../rules.ts';
import { deviceName } from './device.ts';
import { assertOwnOrigin, ownOrigin } from './origin.ts';
import {
  deletePasskey,
  insertChallenge,
  insertPasskey,
  passkeyByCredential,
  passkeysOf,
  takeChallenge,
  usePasskey,
} from './passkey-store.ts';
import { hashOfSecret, newSecret } from './secrets.ts';
import type { Auth } from './sign-in.ts';
import { openSession, signedIn } from './sign-in.ts';
import { accountById, isTwice, readUser } from './store.ts';

/** Half a second and 30 MB: only who signs in so waits for it. */
const webAuthn = () => import('@simplewebauthn/server');

/** Passkeys: made in the settings, and then a second way to sign in (issue 6). The user is verified each time. */
export function passkeyRoutes({ deps, tries }: Auth) {
  const { db, config } = deps;

  /** A fresh challenge for a purpose, kept as a hash, good once and for five minutes. */
  const challenge = async (purpose: string, now: number) => {
    const secret = newSecret(256);
    const row = { challengeHash: hashOfSecret(secret), purpose, expiresAt: now + authLimits.challenge };
    await db.write((tx) => insertChallenge(tx, row, now));
    return Buffer.from(secret);
  };

  /** What the library holds an answer against: its challenge is used up by asking. */
  const expected = (request: FastifyRequest, purpose: string, now: number) => ({
    expectedChallenge: (text: string) =>
      db.write((tx) => takeChallenge(tx, hashOfSecret(Buffer.from(text, 'base64url').toString()), purpose, now)),
    ...partyOf(pageOrigin(config, request)),
    requireUserVerification: true,
  });

  return {
    'GET /api/auth/passkeys': async ({ session: { coupleId, userId } }) =>
      (await passkeysOf(db.read, coupleId, userId)).map(shapeOf),

    'POST /api/auth/passkeys/options': async ({ request, session: { coupleId, userId }, now }) => {
      const { email, displayName } = await readUser(db.read, coupleId, userId);
      const known = await passkeysOf(db.read, coupleId, userId);
      assertRoom(known.length);
      const { generateRegistrationOptions } = await webAuthn();
      return loose(
        await generateRegistrationOptions({
          rpName: 'Our Love Story',
          rpID: partyOf(pageOrigin(config, request)).expectedRPID,
          userID: Uint8Array.from(Buffer.from(userId)),
          userName: email,
          userDisplayName: displayName,
          challenge: Uint8Array.from(await challenge(purposeOf(userId), now)),
          excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
          supportedAlgorithmIDs: ALGORITHMS,
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        }),
      );
    },

    'POST /api/auth/passkeys': async ({ request, body, session: { coupleId, userId }, now }) => {
      const { verifyRegistrationResponse } = await webAuthn();
      const verified = await verifyRegistrationResponse({
        response: { ...body, clientExtensionResults: {} } as Parameters<
          typeof verifyRegistrationResponse
        >[0]['response'],
        supportedAlgorithmIDs: ALGORITHMS,
        ...expected(request, purposeOf(userId), now),
      }).catch(() => null);
      if (!verified?.verified) throw new Refusal(400, 'This passkey could not be checked. Please make it again.');
      const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential;
      const row: PasskeysTable = {
        ...{ coupleId, userId, id: uuidv7(), credentialId, counter, createdAt: now, lastUsedAt: null },
        publicKey: Buffer.from(publicKey).toString('base64url'),
        name: deviceName(request.headers['user-agent']),
      };
      await db
        .write(async (tx) => {
          assertRoom((await passkeysOf(tx, coupleId, userId)).length);
          await insertPasskey(tx, row);
        })
        .catch((error: unknown) => {
          throw isTwice(error) ? new Refusal(409, 'This passkey is here already.') : error;
        });
      return shapeOf(row);
    },

    'DELETE /api/auth/passkeys/{id}': async ({ params: { id }, session: { coupleId, userId } }) => {
      if (!(await db.write((tx) => deletePasskey(tx, coupleId, userId, id)))) throw notFound('Passkey');
      return null;
    },

    'POST /api/auth/passkeys/sign-in/options': async ({ request, now }) => {
      assertOwnOrigin(config, request);
      const { generateAuthenticationOptions } = await webAuthn();
      return loose(
        await generateAuthenticationOptions({
          rpID: partyOf(pageOrigin(config, request)).expectedRPID,
          challenge: Uint8Array.from(await challenge(SIGN_IN, now)),
          userVerification: 'required',
        }),
      );
    },

    'POST /api/auth/passkeys/sign-in': {
      find: async ({ request }) => assertOwnOrigin(config, request),
      handle: async ({ request, body, now }) => {
        const wrong = new Refusal(401, 'This passkey opens nothing here.');
        const passkey = await passkeyByCredential(db.read, body.id);
        const account = passkey && (await accountById(db.read, passkey.coupleId, passkey.userId));
        const guesser = { address: request.ip, ...(account ? { account: account.emailKey } : {}) };
        const check = () => newCounter(body, passkey, expected(request, SIGN_IN, now));
        const { counter, used } = await tries.guess(guesser, check, wrong);
        const made = await db.write(async (tx) => {
          if (!(await usePasskey(tx, used, counter, now))) throw wrong;
          return openSession(tx, { coupleId: used.coupleId, userId: used.userId }, request, now);
        });
        return signedIn(deps, request, made);
      },
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}

const SIGN_IN = 'sign in';
/** EdDSA, ES256, RS256: what devices have (COSE). */
const ALGORITHMS = [-8, -7, -257];

/** A challenge to make a passkey is good for the one who asked for it alone. */
function purposeOf(userId: string): string {
  return `make for ${userId}`;
}

type Expected = Parameters<Awaited<ReturnType<typeof webAuthn>>['verifyAuthenticationResponse']>[0];

/** Checks an answer by the passkey's key; its counter as it is now, or null where anything is wrong. */
async function newCounter(
  response: AssertedCredential,
  used: PasskeysTable | undefined,
  expected: Pick<Expected, 'expectedChallenge' | 'expectedOrigin' | 'expectedRPID' | 'requireUserVerification'>,
) {
  if (!used) return null;
  const { verifyAuthenticationResponse } = await webAuthn();
  const publicKey = Uint8Array.from(Buffer.from(used.publicKey, 'base64url'));
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as Expected['response'],
      credential: { id: used.credentialId, publicKey, counter: used.counter },
      ...expected,
    });
    return verified ? { counter: authenticationInfo.newCounter, used } : null;
  } catch {
    // A counter that went back, another origin, a challenge used up: each is thrown.
    return null;
  }
}

/** Where the page stands that asks, which has been found to be ours: behind a proxy only the browser knows it for sure. */
function pageOrigin(config: Auth['deps']['config'], request: FastifyRequest): string {
  assertOwnOrigin(config, request);
  return request.headers.origin ?? ownOrigin(config, request);
}

function partyOf(origin: string): { expectedOrigin: string; expectedRPID: string } {
  const { origin: expectedOrigin, hostname } = new URL(origin);
  return { expectedOrigin, expectedRPID: hostname };
}

function assertRoom(passkeys: number): void {
  if (passkeys >= authLimits.passkeys) throw new Refusal(409, 'There are many passkeys already. Remove one first.');
}

/** The library's shapes, with what is left undefined left out: as they go over the wire. */
function loose(options: object): { challenge: string; [key: string]: unknown } {
  return JSON.parse(JSON.stringify(options)) as { challenge: string };
}

function shapeOf({ id, name, createdAt, lastUsedAt }: PasskeysTable): Passkey {
  return {
    id,
    name,
    createdAt: formatInstant(createdAt),
    lastUsedAt: lastUsedAt === null ? null : formatInstant(lastUsedAt),
  };
}
