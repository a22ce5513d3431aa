import { parseCookie, stringifySetCookie } from 'cookie';
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

/** The server decides when a session ends, so the cookie may outlive it. */
function cookie(config: Known, request: FastifyRequest, value: string, maxAge: number): string {
  const secure = isSecure(config, request);
  const name = secure ? SECURE_COOKIE : PLAIN_COOKIE;
  return stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'strict', secure });
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
  return parseCookie(headers.cookie ?? '')[name] ?? null;
}
