import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../base/server/deps.ts';
import { authLimits } from '../../rules.ts';
import { isCookieSecure, isKnownHttps } from '../origin.ts';

type Known = Pick<Deps, 'config' | 'databaseId'>;

const SECURE_PREFIX = '__Host-our-love-story';
const PLAIN_PREFIX = 'our-love-story';

/**
 * The cookie's name in this installation. It tells two installations on one host apart: cookies know no ports, so one
 * would overwrite the other's. All nodes of an installation share it.
 */
function nameForInstallation(prefix: string, { databaseId }: Known): string {
  return `${prefix}-${databaseId.slice(0, 8)}`;
}

/**
 * The accepted names of the session cookie. A neighboring subdomain can't set a `__Host-` cookie, so over HTTPS no other
 * name is accepted. The names without a suffix are from sessions that began before version 1.1.0.
 */
function acceptedNames(deps: Known, request: FastifyRequest): readonly string[] {
  const names = isKnownHttps(deps.config, request) ? [SECURE_PREFIX] : [SECURE_PREFIX, PLAIN_PREFIX];
  return [...names.map((name) => nameForInstallation(name, deps)), ...names];
}

/** The `Set-Cookie` header with the session's secret, hidden from scripts (accounts.sessions.1). */
export function sessionCookie(deps: Known, request: FastifyRequest, secret: string): string {
  return cookie(deps, request, secret, authLimits.sessionMax / 1000);
}

/** The `Set-Cookie` header that removes the session cookie. */
export function clearedCookie(deps: Known, request: FastifyRequest): string {
  return cookie(deps, request, '', 0);
}

/** The server decides when a session ends, so the cookie may outlive it. */
function cookie(deps: Known, request: FastifyRequest, value: string, maxAge: number): string {
  const secure = isCookieSecure(deps.config, request);
  const name = nameForInstallation(secure ? SECURE_PREFIX : PLAIN_PREFIX, deps);
  return stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'strict', secure });
}

/** The secret in the request's session cookie, or null. */
export function cookieSecret(deps: Known, request: FastifyRequest): string | null {
  return sentCookie(deps, request)?.secret ?? null;
}

/** The secret of a cookie with a name from before version 1.1.0, which has to be set again; null if there is none. */
export function secretUnderOldName(deps: Known, request: FastifyRequest): string | null {
  const sent = sentCookie(deps, request);
  return sent?.name === SECURE_PREFIX || sent?.name === PLAIN_PREFIX ? sent.secret : null;
}

function sentCookie(deps: Known, request: FastifyRequest): { name: string; secret: string } | null {
  for (const name of acceptedNames(deps, request)) {
    const secret = cookieValue(request, name);
    if (secret) return { name, secret };
  }
  return null;
}

/** The value of a request's cookie, which may be empty, or null if there is no cookie of that name. */
export function cookieValue({ headers }: FastifyRequest, name: string): string | null {
  return parseCookie(headers.cookie ?? '')[name] ?? null;
}
