import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../base/refusal.ts';
import type { Config } from '../../base/server/config.ts';

type Known = Pick<Config, 'publicUrl'>;

/** The address of this server as its users write it, without a path: for links, and to know a foreign page by. */
export function ownOrigin(config: Known, request: FastifyRequest): string {
  return config.publicUrl ?? `${request.protocol}://${request.host}`;
}

/**
 * Whether the page that asks is ours: served under this request's host, or under the public address. Only the host
 * counts, since a proxy that speaks HTTPS for us need not say so, and a browser's SameSite looks at the scheme.
 */
function isOwn(config: Known, request: FastifyRequest, origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  const host = `${page.protocol}//${request.host}`;
  return page.origin === originOf(config) || (URL.canParse(host) && page.host === new URL(host).host);
}

function originOf({ publicUrl }: Known): string | null {
  return publicUrl === null ? null : new URL(publicUrl).origin;
}

/**
 * Refuses what another site's page sends (contract 1, 403). A request without `Origin` comes from no page, and carries
 * no cookie of ours that it could lean on; where a cookie alone is asked for, it must be there (`required`).
 */
export function assertOwnOrigin(config: Known, request: FastifyRequest, { required = false } = {}): void {
  const { origin } = request.headers;
  if (origin === undefined ? !required : isOwn(config, request, origin)) return;
  throw new Refusal(403, 'This may only be asked for by our own pages.');
}

/** Whether the request surely came over HTTPS: to us, to a proxy that says so, or to the public address. */
function isSurelySecure(config: Known, request: FastifyRequest): boolean {
  if (request.protocol === 'https') return true;
  const url = config.publicUrl === null ? null : new URL(config.publicUrl);
  return url?.protocol === 'https:' && url.host === request.host;
}

/**
 * The names under which the session's cookie may come. `__Host-` can't be planted by a neighbouring subdomain, so over
 * HTTPS no other is read.
 */
export function cookieNames(config: Known, request: FastifyRequest): readonly string[] {
  return isSurelySecure(config, request) ? [SECURE_COOKIE] : [SECURE_COOKIE, PLAIN_COOKIE];
}

export const SECURE_COOKIE = '__Host-our-love-story';
export const PLAIN_COOKIE = 'our-love-story';

/**
 * Whether the cookie set by this answer is one for HTTPS. Behind a proxy that isn't trusted the browser's own `Origin`
 * tells; without one, the public address.
 */
export function isSecure(config: Known, request: FastifyRequest): boolean {
  return isSurelySecure(config, request) || (request.headers.origin ?? config.publicUrl ?? '').startsWith('https:');
}
