import { uuidv7 } from 'uuidv7';
import { formatInstant } from '../../../base/instants.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import { isUniqueViolation } from '../../../base/server/db/faults.ts';
import type { PasskeysTable } from '../../../base/server/db/tables/tables.ts';
import type { authCalls } from '../../contract.ts';
import type { Passkey } from '../../passkey-contract.ts';
import { authLimits } from '../../rules.ts';
import type { AuthServices } from '../auth-services.ts';
import { confirmUser } from '../confirm-user.ts';
import { tellByMail } from '../mail/tell-by-mail.ts';
import { deviceName } from '../session/device-name.ts';
import { assertSignedIn } from '../session/sessions.ts';
import { createChallenge, expectedAnswer, optionsReply, passkeyDomain } from './passkey-challenge.ts';
import { insertPasskey, listPasskeys } from './passkey-store.ts';
import { ALGORITHMS, loadWebAuthn, verifyCreated } from './verify-with-webauthn.ts';

/** Starts to create a passkey: the user confirms it, and this returns the options for the browser. */
export function startPasskey(auth: AuthServices): Routes<typeof authCalls>['POST /api/auth/passkeys/options'] {
  const { db } = auth.deps;
  return async ({ request, body, session, now }) => {
    const { coupleId, userId } = session;
    const { email, displayName } = await confirmUser(auth, request, session, body);
    const known = await listPasskeys(db.read, coupleId, userId);
    assertBelowLimit(known.length);
    const { generateRegistrationOptions } = await loadWebAuthn();
    return optionsReply(
      await generateRegistrationOptions({
        rpName: 'Our Love Story',
        rpID: passkeyDomain(auth, request),
        userID: Uint8Array.from(Buffer.from(userId)),
        userName: email,
        userDisplayName: displayName,
        challenge: await createChallenge(auth, registrationPurpose(userId), now),
        excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      }),
    );
  };
}

/** Verifies and stores a passkey that the browser has created. */
export function createPasskey(auth: AuthServices): Routes<typeof authCalls>['POST /api/auth/passkeys'] {
  const { db } = auth.deps;
  return async ({ request, body, session, now }) => {
    const { coupleId, userId } = session;
    const created = await verifyCreated(body, expectedAnswer(auth, request, registrationPurpose(userId), now));
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
        await tellByMail(auth.deps, tx, session, 'newPasskey', row.name);
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? new Refusal(409, 'This passkey has already been added.') : error;
      });
    return toPasskey(row);
  };
}

/** The purpose of a registration challenge, so that only its own user can use it. */
function registrationPurpose(userId: string): string {
  return `make for ${userId}`;
}

function assertBelowLimit(passkeys: number): void {
  if (passkeys >= authLimits.passkeys)
    throw new Refusal(409, 'You have reached the limit of passkeys. Remove one first.');
}

/** A passkey in the contract's shape. */
export function toPasskey({ id, name, createdAt, lastUsedAt }: PasskeysTable): Passkey {
  return {
    id,
    name,
    createdAt: formatInstant(createdAt),
    lastUsedAt: lastUsedAt === null ? null : formatInstant(lastUsedAt),
  };
}
