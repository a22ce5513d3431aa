/** Whether a host name or address is this machine's own, with or without the brackets of an IPv6 address in a URL. */
export function isLoopback(host: string): boolean {
  return /^(localhost\.?|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
