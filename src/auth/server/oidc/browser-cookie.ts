import { hash } from 'node:crypto';
import { stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../../base/server/deps.ts';
import { authLimits } from '../../rules.ts';
import { isCookieSecure, isKnownHttps } from '../origin.ts';
import { newSecret } from '../secrets.ts';
import { cookieValue } from '../session/session-cookie.ts';
import type { VisitSecrets } from './open-provider.ts';

type Known = Pick<Deps, 'config' | 'databaseId'>;

function nameOf({ databaseId }: Known, secure: boolean): string {
  return `${secure ? '__Host-' : ''}our-love-story-openid-${databaseId.slice(0, 8)}`;
}

/** The secret of this browser's visits to the OpenID provider, or null if there is none, or not one of ours. */
export function browserSecret(deps: Known, request: FastifyRequest): string | null {
  const names = isKnownHttps(deps.config, request) ? [true] : [true, false];
  const values = names.map((secure) => cookieValue(request, nameOf(deps, secure)));
  return values.find((value) => value !== null && /^[\w-]{43}$/.test(value)) ?? null;
}

/** A secret for a browser that has none. Visits of several tabs share it. */
export function newBrowserSecret(): string {
  return newSecret(256);
}

/** The `Set-Cookie` header with a browser's secret. It is `Lax`, because the way back comes from another site. */
export function browserCookie(deps: Known, request: FastifyRequest, secret: string): string {
  const secure = isCookieSecure(deps.config, request);
  return stringifySetCookie({
    name: nameOf(deps, secure),
    value: secret,
    maxAge: authLimits.oidcVisit / 1000,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
  });
}

/** Derives the secrets of a visit, so that the database stores none: without the browser's cookie, they can't be known. */
export function secretsOfVisit(browser: string, state: string): VisitSecrets {
  const derive = (what: string) => hash('sha256', `${what} ${browser} ${state}`, 'base64url');
  return { state, nonce: derive('nonce'), codeVerifier: derive('code verifier') };
}
