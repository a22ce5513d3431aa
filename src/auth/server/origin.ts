import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../base/refusal.ts';
import type { Config } from '../../base/server/process/config.ts';

type OriginConfig = Pick<Config, 'publicUrl'>;

/** The origin of this server as its users see it, for links. Without a public address, it is HTTPS if the cookie is Secure. */
export function ownOrigin(config: OriginConfig, request: FastifyRequest): string {
  return config.publicUrl ?? `${isCookieSecure(config, request) ? 'https' : 'http'}://${request.host}`;
}

/**
 * Whether the requesting page is ours: served from this request's host, or from the public address. Only the host is
 * compared, because a proxy that terminates HTTPS might not say so, and the browser's SameSite check covers the scheme.
 */
function isOwnOrigin(config: OriginConfig, request: FastifyRequest, origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  const host = `${page.protocol}//${request.host}`;
  return page.origin === publicOrigin(config) || (URL.canParse(host) && page.host === new URL(host).host);
}

function publicOrigin({ publicUrl }: OriginConfig): string | null {
  return publicUrl === null ? null : new URL(publicUrl).origin;
}

/**
 * Refuses requests from another site's page. A request without `Origin` doesn't come from a page that
 * could abuse our cookie. Calls that authenticate by cookie alone pass `required`, so the header must be present.
 */
export function assertOwnOrigin(config: OriginConfig, request: FastifyRequest, { required = false } = {}): void {
  const { origin } = request.headers;
  if (origin === undefined ? !required : isOwnOrigin(config, request, origin)) return;
  throw new Refusal(403, 'This request is only allowed from our own pages.');
}

/** Whether the request is known to have come over HTTPS: to this server, a trusted proxy, or the public address. */
export function isKnownHttps(config: OriginConfig, request: FastifyRequest): boolean {
  if (request.protocol === 'https') return true;
  const url = config.publicUrl === null ? null : new URL(config.publicUrl);
  return url?.protocol === 'https:' && url.host === request.host;
}

/**
 * Whether the cookie set by this reply gets the `Secure` attribute. Behind an untrusted proxy, the browser's `Origin`
 * header decides; without one, the public address.
 */
export function isCookieSecure(config: OriginConfig, request: FastifyRequest): boolean {
  return isKnownHttps(config, request) || (request.headers.origin ?? config.publicUrl ?? '').startsWith('https:');
}
