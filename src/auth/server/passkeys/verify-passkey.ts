import type { PasskeysTable } from '../../../base/server/db/tables.ts';
import type { AssertedCredential, CreatedCredential } from '../../passkey-contract.ts';

/** Loaded on first use: it takes half a second and 30 MB. */
export const loadWebAuthn = () => import('./webauthn-library.ts');

/** COSE ids of EdDSA, ES256 and RS256, which devices support. */
export const ALGORITHMS = [-8, -7, -257];

type WebAuthn = Awaited<ReturnType<typeof loadWebAuthn>>;
type Assertion = Parameters<WebAuthn['verifyAuthenticationResponse']>[0];
type Creation = Parameters<WebAuthn['verifyRegistrationResponse']>[0];
/** What a response must match. */
type Expected = Pick<Assertion, 'expectedChallenge' | 'expectedOrigin' | 'expectedRPID' | 'requireUserVerification'>;

/** Verifies a new passkey. @returns its id, public key and counter, or null if it is invalid */
export async function verifyCreated(created: CreatedCredential, expected: Expected) {
  const library = await loadWebAuthn();
  try {
    const attestationObject = withoutStatement(library, created.response.attestationObject);
    const { verified, registrationInfo } = await library.verifyRegistrationResponse({
      response: {
        ...created,
        response: { ...created.response, attestationObject },
        clientExtensionResults: {},
      } as Creation['response'],
      supportedAlgorithmIDs: ALGORITHMS,
      ...expected,
    });
    // The library checks only that there is an id. One that is too long for the contract could not sign in.
    return verified && registrationInfo.credential.id === created.id ? registrationInfo.credential : null;
  } catch {
    return null;
  }
}

/**
 * Removes from an attestation what the device says of its maker. Nothing here needs it (decision 19), and the library
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
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const publicKey = Uint8Array.from(Buffer.from(used.publicKey, 'base64url'));
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as Assertion['response'],
      credential: { id: used.credentialId, publicKey, counter: used.counter },
      ...expected,
    });
    return verified ? { counter: authenticationInfo.newCounter, used } : null;
  } catch {
    // The library throws for a counter that went back, another origin, or a used challenge.
    return null;
  }
}
