/** Whether passkeys are to be had here: in a browser that knows them, under a name (an IP address has none), by HTTPS. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname);
}
