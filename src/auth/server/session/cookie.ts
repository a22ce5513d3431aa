import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../base/server/config.ts';
import { authLimits } from '../../rules.ts';
import { cookieNames, isSecure, PLAIN_COOKIE, SECURE_COOKIE } from '../origin.ts';

type Known = Pick<Config, 'publicUrl'>;

/** The `Set-Cookie` header with the session's secret, hidden from scripts (contract 2, One session, two carriers). */
export function sessionCookie(config: Known, request: FastifyRequest, secret: string): string {
  return cookie(config, request, secret, authLimits.sessionMax / 1000);
}

/** The `Set-Cookie` header that removes the session cookie. */
export function clearedCookie(config: Known, request: FastifyRequest): string {
  return cookie(config, request, '', 0);
}

/** The server decides when a session ends, so the cookie may outlive it. The value is base64url and needs no escaping. */
function cookie(config: Known, request: FastifyRequest, value: string, maxAge: number): string {
  const secure = isSecure(config, request);
  const name = secure ? SECURE_COOKIE : PLAIN_COOKIE;
  return `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

/** The secret in the request's session cookie, or null. */
export function cookieSecret(config: Known, request: FastifyRequest): string | null {
  for (const name of cookieNames(config, request)) {
    const value = cookieValue(request, name);
    if (value) return value;
  }
  return null;
}

/** The value of a request's cookie, which may be empty, or null if there is no cookie of that name. */
export function cookieValue({ headers }: FastifyRequest, name: string): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}
