/** Whether this browser and address support passkeys. WebAuthn needs a domain name; an IP address has none. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname);
}
