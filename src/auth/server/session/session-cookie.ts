import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../base/server/deps.ts';
import { authLimits } from '../../rules.ts';
import { isCookieSecure, isKnownHttps } from '../origin.ts';

type Known = Pick<Deps, 'config' | 'databaseId'>;

export const SECURE_COOKIE = '__Host-our-love-story';
const PLAIN_COOKIE = 'our-love-story';

/**
 * The part of the cookie's name that tells two albums on one host apart: cookies know no ports, so one album would
 * overwrite the other's. All nodes of an album share it.
 */
function ofAlbum(name: string, { databaseId }: Known): string {
  return `${name}-${databaseId.slice(0, 8)}`;
}

/**
 * The accepted names of the session cookie. A neighboring subdomain can't set a `__Host-` cookie, so over HTTPS no other
 * name is accepted. The last ones are of sessions that began before version 1.1.0.
 */
function acceptedNames(deps: Known, request: FastifyRequest): readonly string[] {
  const names = isKnownHttps(deps.config, request) ? [SECURE_COOKIE] : [SECURE_COOKIE, PLAIN_COOKIE];
  return [...names.map((name) => ofAlbum(name, deps)), ...names];
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
  const name = ofAlbum(secure ? SECURE_COOKIE : PLAIN_COOKIE, deps);
  return stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'strict', secure });
}

/** The secret in the request's session cookie, or null. */
export function cookieSecret(deps: Known, request: FastifyRequest): string | null {
  return sentCookie(deps, request)?.secret ?? null;
}

/** The secret of a cookie whose name is not the album's own, so that it has to be sent again; null if there is none. */
export function secretToRename(deps: Known, request: FastifyRequest): string | null {
  const sent = sentCookie(deps, request);
  return sent?.name === SECURE_COOKIE || sent?.name === PLAIN_COOKIE ? sent.secret : null;
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
