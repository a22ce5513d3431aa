import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '../../auth/server/sign-in/setup-code.ts';

/** A browser tells us where its push service is: nothing may be reached so but a public HTTPS address (SSRF). */

const TIMEOUT_MS = 10_000;

/** What is no public address: our own machine, our own networks, and what is set apart for other ends. */
const PRIVATE = new BlockList();
for (const [net, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
] as const) {
  PRIVATE.addSubnet(net, bits, 'ipv4');
}
/** Of IPv6 only what is given out for the Internet, and of that nothing that carries an IPv4 address. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
const IPV4_CARRIERS = new BlockList();
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  IPV4_CARRIERS.addSubnet(net, bits, 'ipv6');
}

/** Whether an IP address is one of the Internet's, not of some private network. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !PRIVATE.check(address, 'ipv4');
  return isIP(address) === 6 && GLOBAL.check(address, 'ipv6') && !IPV4_CARRIERS.check(address, 'ipv6');
}

/** Whether a push service may stand at an address: HTTPS on its own port; with `local`, for tests, this machine too. */
export function isAllowedEndpoint(endpoint: string, local: boolean): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (local && isLoopback(hostname)) return true;
  if (protocol !== 'https:' || port !== '' || username !== '' || password !== '') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !isLoopback(host);
}

/** Looks a name up and refuses it where it leads into a private network, at the very connection that is made. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return done(error ?? new Error('There is no such name'), '', 4);
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return done(new Error('A push service in a private network'), '', 4);
    }
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });
};

/** A request to a push service: its status alone. Redirects are not followed, and what it says is not read. */
export function post(
  endpoint: string,
  request: { readonly headers: Readonly<Record<string, string | number>>; readonly body: Buffer },
  local: boolean,
): Promise<number> {
  if (!isAllowedEndpoint(endpoint, local)) return Promise.reject(new Error('No address of a push service'));
  const { request: ask } = endpoint.startsWith('http:') ? http : https;
  return new Promise((done, failed) => {
    const sent = ask(endpoint, {
      method: 'POST',
      headers: request.headers,
      timeout: TIMEOUT_MS,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(local ? {} : { lookup: publicLookup }),
    });
    sent.on('response', (response) => {
      done(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('timeout', () => sent.destroy(new Error('The push service does not answer')));
    sent.on('error', failed);
    sent.end(request.body);
  });
}
