import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import type { Passkey, SignedIn } from '../../contract.ts';
import { authApi } from '../queries.ts';

/** What passkeys ask of this browser. It is fetched when somebody presses the button. */

type Making = Parameters<typeof startRegistration>[0]['optionsJSON'];
type Signing = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/**
 * Makes a passkey on this device.
 * @param password the user's, or null to be asked for an existing passkey instead
 * @returns null where the user cancelled
 * @throws ApiError, WebAuthnError
 */
export async function makePasskey(password: string | null): Promise<Passkey | null> {
  const body = password === null ? { passkey: await askForPasskey() } : { currentPassword: password };
  if (body.passkey === null) return null;
  const optionsJSON = (await authApi('POST /api/auth/passkeys/options', { body })) as unknown as Making;
  const made = await unlessCancelled(startRegistration({ optionsJSON }));
  return made && authApi('POST /api/auth/passkeys', { body: made });
}

/** Signs in with a passkey of this device. Null where the user thought better of it. @throws ApiError, WebAuthnError */
export async function signInWithPasskey(): Promise<SignedIn | null> {
  const signed = await askForPasskey();
  return signed && authApi('POST /api/auth/passkeys/sign-in', { body: signed });
}

async function askForPasskey() {
  const optionsJSON = (await authApi('POST /api/auth/passkeys/sign-in/options')) as unknown as Signing;
  return unlessCancelled(startAuthentication({ optionsJSON }));
}

async function unlessCancelled<T>(ceremony: Promise<T>): Promise<T | null> {
  try {
    return await ceremony;
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return null;
    throw new Error(sentenceOf(error), { cause: error });
  }
}

function sentenceOf(error: unknown): string {
  const code = error instanceof WebAuthnError ? error.code : '';
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'This device has a passkey of yours already.';
  if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID') {
    return 'Passkeys need our album at an address with a name, over HTTPS.';
  }
  return 'This device could not make or use a passkey. Please try again.';
}
