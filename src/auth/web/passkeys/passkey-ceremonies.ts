import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { ApiError } from '../../../base/web/net/api-error.ts';
import type { GivenConfirmation } from '../../confirmation.ts';
import type { Passkey, SignedIn } from '../../contract.ts';
import { authApi } from '../queries.ts';

/* WebAuthn's ceremonies in the browser: creating a passkey, and asking for one. Loaded when the user presses a passkey button. */

type RegistrationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];
type AuthenticationOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Creates a passkey on this device, once the user has confirmed it. @returns null if the user cancelled @throws ApiError */
export async function makePasskey(body: GivenConfirmation): Promise<Passkey | null> {
  const optionsJSON = (await authApi('POST /api/auth/passkeys/options', { body })) as unknown as RegistrationOptions;
  const made = await nullIfCancelled(startRegistration({ optionsJSON }));
  return made && authApi('POST /api/auth/passkeys', { body: made });
}

/** Signs in with a passkey of this device. @returns null if the user cancelled @throws ApiError */
export async function signInWithPasskey(): Promise<SignedIn | null> {
  const assertion = await requestAssertion();
  return assertion && authApi('POST /api/auth/passkeys/sign-in', { body: assertion });
}

/** Asks for a passkey of this device. @returns null if the user cancelled @throws ApiError */
export async function requestAssertion() {
  const optionsJSON = (await authApi('POST /api/auth/passkeys/sign-in/options')) as unknown as AuthenticationOptions;
  return nullIfCancelled(startAuthentication({ optionsJSON }));
}

async function nullIfCancelled<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return null;
    throw new ApiError(0, messageOf(error));
  }
}

function messageOf(error: unknown): string {
  const code = error instanceof WebAuthnError ? error.code : '';
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'You already have a passkey on this device.';
  if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID') {
    return 'Passkeys need HTTPS and a domain name, not an IP address.';
  }
  return 'This device could not create or use a passkey. Please try again.';
}
