import type { FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { notFound, Refusal, refuseField } from '../../../base/refusal.ts';
import type { PasskeysTable } from '../../../base/server/db/tables.ts';
import type { Routes, Session } from '../../../base/server/serve.ts';
import { formatInstant } from '../../../base/time.ts';
import type { authCalls } from '../../contract.ts';
import type { AssertedCredential, Passkey } from '../../passkey-contract.ts';
import { authLimits } from '../../rules.ts';
import { assertOwnOrigin, ownOrigin } from '../origin.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import { deviceName } from '../session/device-name.ts';
import { sessionById } from '../session/session-store.ts';
import type { Auth } from '../session/sessions.ts';
import { openSession, signedIn } from '../session/sessions.ts';
import { assertOwnPassword } from '../settings/profile-routes.ts';
import { accountById, isUniqueViolation, lockUser, readUser } from '../store.ts';
import {
  deletePasskey,
  insertChallenge,
  insertPasskey,
  passkeyByCredential,
  passkeysOf,
  takeChallenge,
  usePasskey,
} from './passkey-store.ts';

/** Half a second and 30 MB: only who signs in so waits for it. */
const webAuthn = () => import('@simplewebauthn/server');

/** Passkeys: made in the settings, and then a second way to sign in (issue 6). The user is verified each time. */
export function passkeyRoutes(auth: Auth) {
  const { deps, tries } = auth;
  const { db, config } = deps;

  /** A fresh challenge for a purpose, kept as a hash, good once and for five minutes. */
  const challenge = async (purpose: string, now: number) => {
    const secret = newSecret(256);
    const row = { challengeHash: hashOfSecret(secret), purpose, expiresAt: now + authLimits.challenge };
    await db.write((tx) => insertChallenge(tx, db.engine, row, now));
    return Buffer.from(secret);
  };

  /** What the library holds an answer against: its challenge is used up by asking. */
  const expected = (request: FastifyRequest, purpose: string, now: number) => ({
    expectedChallenge: (text: string) =>
      db.write((tx) => takeChallenge(tx, hashOfSecret(Buffer.from(text, 'base64url').toString()), purpose, now)),
    ...partyOf(pageOrigin(config, request)),
    requireUserVerification: true,
  });

  /** Checks what a passkey answers. @throws what `wrong` says, 429 */
  const check = async (request: FastifyRequest, answer: AssertedCredential, device: Session | null, wrong: Refusal) => {
    const passkey = await passkeyByCredential(db.read, answer.id);
    const isMine = device === null || (passkey?.coupleId === device.coupleId && passkey.userId === device.userId);
    const owner = device ?? passkey;
    const account = owner && (await accountById(db.read, owner.coupleId, owner.userId));
    const guesser = {
      address: request.ip,
      ...(account ? { account: account.emailKey } : {}),
      ...(device ? { device: device.sessionId } : {}),
    };
    const expecting = expected(request, SIGN_IN, deps.now());
    return tries.guess(guesser, () => newCounter(answer, isMine ? passkey : undefined, expecting), wrong);
  };

  /** Makes sure that the user is there, and not somebody who found the device open. @throws Refusal 400, 429 */
  const assertPresent = async (request: FastifyRequest, session: Session, { currentPassword, passkey }: Proof) => {
    if (passkey) {
      const { used, counter } = await check(request, passkey, session, wrongPasskey());
      if (!(await db.write((tx) => usePasskey(tx, used, counter, deps.now())))) throw wrongPasskey();
    } else if (currentPassword) await assertOwnPassword(auth, request, session, currentPassword);
    else throw refuseField('currentPassword', 'Current password is required');
  };

  return {
    'GET /api/auth/passkeys': async ({ session: { coupleId, userId } }) =>
      (await passkeysOf(db.read, coupleId, userId)).map(shapeOf),

    'POST /api/auth/passkeys/options': async ({ request, body, session, now }) => {
      const { coupleId, userId } = session;
      await assertPresent(request, session, body);
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

    'POST /api/auth/passkeys': async ({ request, body, session: { coupleId, userId, sessionId }, now }) => {
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
          // A recovery that ended this session meanwhile has removed all passkeys; none may follow.
          await lockUser(tx, coupleId, userId);
          if (!(await sessionById(tx, coupleId, userId, sessionId))) throw new Refusal(401, 'Please sign in.');
          assertRoom((await passkeysOf(tx, coupleId, userId)).length);
          await insertPasskey(tx, row);
        })
        .catch((error: unknown) => {
          throw isUniqueViolation(error) ? new Refusal(409, 'This passkey is here already.') : error;
        });
      return shapeOf(row);
    },

    'DELETE /api/auth/passkeys/{id}': async ({ params: { id }, session: { coupleId, userId } }) => {
      if (!(await db.write((tx) => deletePasskey(tx, coupleId, userId, id)))) throw notFound('Passkey');
      return null;
    },

    'POST /api/auth/passkeys/sign-in/options': async ({ request, now }) => {
      assertOwnOrigin(config, request);
      await tries.count('challenge', request.ip, authLimits.challenges);
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
        const { counter, used } = await check(request, body, null, wrong);
        const { coupleId, userId } = used;
        const made = await db.write(async (tx) => {
          // A recovery under way removes this passkey and ends all sessions: this one begins before it, or not at all.
          if (!(await lockUser(tx, coupleId, userId)) || !(await usePasskey(tx, used, counter, now))) throw wrong;
          return openSession(tx, { coupleId, userId }, request, now);
        });
        return signedIn(deps, request, made);
      },
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}

/** By what a user shows to be there: one of the two. */
interface Proof {
  readonly currentPassword?: string | null | undefined;
  readonly passkey?: AssertedCredential | null | undefined;
}

function wrongPasskey(): Refusal {
  return refuseField('passkey', 'This is none of your passkeys. Please use another, or your password.');
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
