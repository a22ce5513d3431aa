import { ApiError } from '../../../base/web/api.ts';

/** Whether this browser and address support passkeys. WebAuthn needs a domain name; an IP address has none. */
export function supportsPasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname);
}

/** Loads the code of WebAuthn. @throws ApiError if that fails, because the browser's message is technical */
export const loadWebauthn = () =>
  import('./webauthn.ts').catch(() => {
    throw new ApiError(0, 'Something went wrong. Please try again.');
  });
