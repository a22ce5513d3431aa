import type { PasskeysTable } from '../../../base/server/db/tables/tables.ts';
import type { AssertedCredential, CreatedCredential } from '../../passkey-contract.ts';

/** Loaded on first use: it takes half a second and 30 MB. */
export const loadWebAuthn = () => import('./webauthn-library.ts');

/** COSE ids of EdDSA, ES256 and RS256, which devices support. */
export const ALGORITHMS = [-8, -7, -257];

type WebAuthn = Awaited<ReturnType<typeof loadWebAuthn>>;
type Assertion = Parameters<WebAuthn['verifyAuthenticationResponse']>[0];
type Creation = Parameters<WebAuthn['verifyRegistrationResponse']>[0];
/** What a response must match. */
export interface Expected {
  /** The origin of our page. Its host name is the passkey's domain. */
  readonly origin: string;
  /** Consumes a challenge. Resolves to false if it was not ours, or not for this purpose. */
  consume(challenge: string): Promise<boolean>;
}

/** Consumes the challenge that a response answers. @returns what the library compares it with, or null if it is not ours */
async function matchOf({ decodeClientDataJSON }: WebAuthn, clientData: string, { origin, consume }: Expected) {
  // Outside of the library, whose errors all mean a wrong response: one of the database means none.
  const challenge = attempt(() => decodeClientDataJSON(clientData).challenge);
  if (typeof challenge !== 'string' || !(await consume(challenge))) return null;
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
  };
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** Verifies a new passkey. @returns its id, public key and counter, or null if it is invalid */
export async function verifyCreated(created: CreatedCredential, expected: Expected) {
  const library = await loadWebAuthn();
  const match = await matchOf(library, created.response.clientDataJSON, expected);
  if (match === null) return null;
  try {
    const attestationObject = withoutStatement(library, created.response.attestationObject);
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      response: {
        ...created,
        response: { ...created.response, attestationObject },
        clientExtensionResults: {},
      } as Creation['response'],
      supportedAlgorithmIDs: ALGORITHMS,
      ...match,
    });
    // The library checks only that there is an id. One that is too long for the contract could not sign in.
    return verified && registrationInfo.credential.id === created.id ? registrationInfo.credential : null;
  } catch {
    return null;
  }
}

/**
 * Removes from an attestation what the device says about its maker. Nothing here needs it (decision 19), and the library
 * would request the addresses that its certificates name, which may be in our own network.
 */
function withoutStatement(
  { decodeAttestationObject, isoBase64URL, isoCBOR }: WebAuthn,
  attestationObject: string,
): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  const statement = { fmt: 'none', attStmt: new Map(), authData };
  return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(Object.entries(statement))));
}

/** Verifies an assertion with the passkey's public key. @returns the passkey and its new counter, or null if invalid */
export async function verifyWithKey(response: AssertedCredential, used: PasskeysTable | undefined, expected: Expected) {
  if (!used) return null;
  const library = await loadWebAuthn();
  const match = await matchOf(library, response.response.clientDataJSON, expected);
  if (match === null) return null;
  const publicKey = Uint8Array.from(Buffer.from(used.publicKey, 'base64url'));
  try {
    const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as Assertion['response'],
      credential: { id: used.credentialId, publicKey, counter: used.counter },
      ...match,
    });
    return verified ? { counter: authenticationInfo.newCounter, used } : null;
  } catch {
    // The library throws for a counter that went back, or another origin.
    return null;
  }
}
