import type { FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { notFound, Refusal, refuseField } from '../../../base/refusal.ts';
import type { Routes, Session } from '../../../base/server/calls/serve.ts';
import { isUniqueViolation } from '../../../base/server/db/faults.ts';
import type { PasskeysTable } from '../../../base/server/db/tables/tables.ts';
import { formatInstant } from '../../../base/time.ts';
import type { authCalls } from '../../contract.ts';
import type { AssertedCredential, Passkey } from '../../passkey-contract.ts';
import { authLimits } from '../../rules.ts';
import { assertOwnOrigin, ownOrigin } from '../origin.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import { deviceName } from '../session/device-name.ts';
import type { AuthServices } from '../session/sessions.ts';
import { assertSignedIn, openSession, signedInReply } from '../session/sessions.ts';
import { assertCurrentPassword } from '../settings/profile-routes.ts';
import { getAccount, lockUser, readUser } from '../store.ts';
import {
  consumeChallenge,
  deletePasskey,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  recordPasskeyUse,
} from './passkey-store.ts';
import { ALGORITHMS, type Expected, loadWebAuthn, verifyCreated, verifyWithKey } from './verify-passkey.ts';

/** Routes for passkeys: created in the settings, then a second way to sign in (accounts.passkeys.1). User verification is required. */
export function passkeyRoutes(auth: AuthServices) {
  const { deps, rateLimits } = auth;
  const { db, config } = deps;

  /** The domain that a passkey belongs to. */
  const hostname = (request: FastifyRequest) => new URL(pageOrigin(config, request)).hostname;

  /** Creates a challenge for a purpose. It is stored as a hash, and valid once for five minutes. */
  const createChallenge = async (purpose: string, now: number) => {
    const secret = newSecret(256);
    const row = { challengeHash: hashOfSecret(secret), purpose, expiresAt: now + authLimits.challenge };
    await db.write((tx) => insertChallenge(tx, db.engine, row, now));
    return Buffer.from(secret);
  };

  const expected = (request: FastifyRequest, purpose: string, now: number): Expected => ({
    origin: pageOrigin(config, request),
    consume: (challenge) =>
      db.write((tx) =>
        consumeChallenge(tx, hashOfSecret(Buffer.from(challenge, 'base64url').toString()), purpose, now),
      ),
  });

  /** Verifies a passkey's assertion. @throws `wrong`, or Refusal 429 */
  const verifyAssertion = async (
    request: FastifyRequest,
    answer: AssertedCredential,
    device: Session | null,
    wrong: Refusal,
  ) => {
    const passkey = await findPasskey(db.read, answer.id);
    const isOwn = device === null || (passkey?.coupleId === device.coupleId && passkey.userId === device.userId);
    const owner = device ?? passkey;
    const account = owner && (await getAccount(db.read, owner.coupleId, owner.userId));
    const attempt = {
      address: request.ip,
      ...(account ? { account: account.emailKey } : {}),
      ...(device ? { device: device.sessionId } : {}),
    };
    const expecting = expected(request, SIGN_IN, deps.now());
    return rateLimits.attempt(attempt, () => verifyWithKey(answer, isOwn ? passkey : undefined, expecting), wrong);
  };

  /** Re-authenticates the user, because the device may be unattended. @throws Refusal 400, 429 */
  const reauthenticate = async (request: FastifyRequest, session: Session, { currentPassword, passkey }: Proof) => {
    if (passkey) {
      const { used, counter } = await verifyAssertion(request, passkey, session, wrongPasskey());
      if (!(await db.write((tx) => recordPasskeyUse(tx, used, counter, deps.now())))) throw wrongPasskey();
    } else if (currentPassword) await assertCurrentPassword(auth, request, session, currentPassword);
    else throw refuseField('currentPassword', 'Current password is required');
  };

  return {
    'GET /api/auth/passkeys': async ({ session: { coupleId, userId } }) =>
      (await listPasskeys(db.read, coupleId, userId)).map(toPasskey),

    'POST /api/auth/passkeys/options': async ({ request, body, session, now }) => {
      const { coupleId, userId } = session;
      await reauthenticate(request, session, body);
      const { email, displayName } = await readUser(db.read, coupleId, userId);
      const known = await listPasskeys(db.read, coupleId, userId);
      assertBelowLimit(known.length);
      const { generateRegistrationOptions } = await loadWebAuthn();
      return toJson(
        await generateRegistrationOptions({
          rpName: 'Our Love Story',
          rpID: hostname(request),
          userID: Uint8Array.from(Buffer.from(userId)),
          userName: email,
          userDisplayName: displayName,
          challenge: Uint8Array.from(await createChallenge(registrationPurpose(userId), now)),
          excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
          supportedAlgorithmIDs: ALGORITHMS,
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        }),
      );
    },

    'POST /api/auth/passkeys': async ({ request, body, session, now }) => {
      const { coupleId, userId } = session;
      const created = await verifyCreated(body, expected(request, registrationPurpose(userId), now));
      if (created === null) throw new Refusal(400, 'This passkey could not be verified. Please try again.');
      const { id: credentialId, publicKey, counter } = created;
      const row: PasskeysTable = {
        coupleId,
        userId,
        id: uuidv7(),
        credentialId,
        counter,
        createdAt: now,
        lastUsedAt: null,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        name: deviceName(request.headers['user-agent']),
      };
      await db
        .write(async (tx) => {
          await assertSignedIn(tx, session);
          assertBelowLimit((await listPasskeys(tx, coupleId, userId)).length);
          await insertPasskey(tx, row);
        })
        .catch((error: unknown) => {
          throw isUniqueViolation(error) ? new Refusal(409, 'This passkey has already been added.') : error;
        });
      return toPasskey(row);
    },

    'DELETE /api/auth/passkeys/{id}': async ({ params: { id }, session }) => {
      await db.write(async (tx) => {
        await assertSignedIn(tx, session);
        if (!(await deletePasskey(tx, session.coupleId, session.userId, id))) throw notFound('Passkey');
      });
      return null;
    },

    'POST /api/auth/passkeys/sign-in/options': async ({ request, now }) => {
      assertOwnOrigin(config, request);
      await rateLimits.count('challenge', request.ip, authLimits.challenges);
      const { generateAuthenticationOptions } = await loadWebAuthn();
      return toJson(
        await generateAuthenticationOptions({
          rpID: hostname(request),
          challenge: Uint8Array.from(await createChallenge(SIGN_IN, now)),
          userVerification: 'required',
        }),
      );
    },

    'POST /api/auth/passkeys/sign-in': {
      find: async ({ request }) => assertOwnOrigin(config, request),
      handle: async ({ request, body, now }) => {
        const wrong = new Refusal(401, 'This passkey is not known here.');
        const { counter, used } = await verifyAssertion(request, body, null, wrong);
        const { coupleId, userId } = used;
        const session = await db.write(async (tx) => {
          // A concurrent recovery removes this passkey and ends all sessions. This sign-in commits before it, or fails.
          if (!(await lockUser(tx, coupleId, userId)) || !(await recordPasskeyUse(tx, used, counter, now))) throw wrong;
          return openSession(tx, { coupleId, userId }, request, now);
        });
        return signedInReply(deps, request, session);
      },
    },
  } satisfies Partial<Routes<typeof authCalls>>;
}

/** How a user re-authenticates: one of the two. */
interface Proof {
  readonly currentPassword?: string | null | undefined;
  readonly passkey?: AssertedCredential | null | undefined;
}

function wrongPasskey(): Refusal {
  return refuseField('passkey', 'This is not one of your passkeys. Please use another one, or your password.');
}

const SIGN_IN = 'sign in';
/** The purpose of a registration challenge, so that only its own user can use it. */
function registrationPurpose(userId: string): string {
  return `make for ${userId}`;
}

/** The origin of the requesting page, checked to be ours. Behind a proxy, only the browser knows it for sure. */
function pageOrigin(config: AuthServices['deps']['config'], request: FastifyRequest): string {
  assertOwnOrigin(config, request);
  return new URL(request.headers.origin ?? ownOrigin(config, request)).origin;
}

function assertBelowLimit(passkeys: number): void {
  if (passkeys >= authLimits.passkeys)
    throw new Refusal(409, 'You have reached the limit of passkeys. Remove one first.');
}

/** Drops undefined fields, as JSON does on the wire. */
function toJson(options: object): { challenge: string; [key: string]: unknown } {
  return JSON.parse(JSON.stringify(options)) as { challenge: string };
}

function toPasskey({ id, name, createdAt, lastUsedAt }: PasskeysTable): Passkey {
  return {
    id,
    name,
    createdAt: formatInstant(createdAt),
    lastUsedAt: lastUsedAt === null ? null : formatInstant(lastUsedAt),
  };
}
