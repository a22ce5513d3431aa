import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../../base/refusal.ts';
import { bearerToken } from '../../../base/server/bearer.ts';
import { memoizeUntilCommit } from '../../../base/server/commit-cache.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { Ports } from '../../../base/server/serve.ts';
import { MINUTE } from '../../../base/time.ts';
import { sessionEnd } from '../../rules.ts';
import { assertOwnOrigin, SECURE_COOKIE } from '../origin.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import { cookieSecret } from './cookie.ts';
import { findUnstored } from './memory-tokens.ts';
import type { SessionRow } from './session-store.ts';
import { sessionsByCookie, touchSession } from './session-store.ts';
import { sessionsByToken } from './token-store.ts';

/** How stale the moment of a session's last use may become: a write for every call would be one too many. */
const TOUCH_EVERY = 5 * MINUTE;

/**
 * Finds the session of a request (contract 2, One session, two carriers): by the bearer token; for a photo also by the
 * cookie; for a renewal by the cookie alone. A write that comes from another site's page is then refused.
 * @throws by the returned function: Refusal 401, then 403
 */
export function authenticator(deps: Deps): Ports['authenticate'] {
  const { byToken, byCookie } = sessionFinder(deps);
  const find = (request: FastifyRequest, access: 'session' | 'photo' | 'renew') => {
    const hasHeader = request.headers.authorization !== undefined;
    if (access === 'renew' || (access === 'photo' && !hasHeader) || isOwnCall(request)) {
      return byCookie(cookieSecret(deps.config, request));
    }
    return byToken(bearerToken(request));
  };
  return async (request, access) => {
    const session = await find(request, access);
    if (session === null) throw new Refusal(401, 'Please sign in.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      assertOwnOrigin(deps.config, request, { required: access === 'renew' });
    }
    await touch(deps, session);
    return { coupleId: session.coupleId, userId: session.userId, sessionId: session.id };
  };
}

const OWN_CALL = 'x-own-call';
const ownCallSecret = newSecret(256);

/**
 * The headers of a call that this process makes to itself, to draw the first page for the holder of a cookie: on it the
 * cookie counts as a token does. No other process and no browser knows the value.
 */
export function ownCallHeaders(cookie: string): Readonly<Record<string, string>> {
  return { cookie: `${SECURE_COOKIE}=${cookie}`, [OWN_CALL]: ownCallSecret };
}

function isOwnCall({ method, headers }: FastifyRequest): boolean {
  const given = headers[OWN_CALL];
  // Compared by hash, so that the time it takes tells nothing of the secret.
  return method === 'GET' && typeof given === 'string' && hashOfSecret(given) === hashOfSecret(ownCallSecret);
}

/** How many sessions are cached between two commits, for each carrier. */
const SESSIONS = 1_000;

type Find = (secret: string | null) => Promise<SessionRow | null>;

/** Finds the live session of a bearer token or of a cookie, or null. Neither secret works in the other's place. */
export function sessionFinder({ db, now }: Pick<Deps, 'db' | 'now'>): {
  readonly byToken: Find;
  readonly byCookie: Find;
} {
  const ofToken = memoizeUntilCommit(db, SESSIONS, sessionsByToken(db.read));
  const ofCookie = memoizeUntilCommit(db, SESSIONS, sessionsByCookie(db.read));
  const live = (session: SessionRow | undefined) =>
    session !== undefined && now() < sessionEnd(session) ? session : null;
  return {
    byToken: async (token) => {
      if (token === null) return null;
      const hash = hashOfSecret(token);
      const found = (await ofToken(hash)) ?? (await findUnstored(db, hash));
      return found !== undefined && now() < found.expiresAt ? live(found) : null;
    },
    byCookie: async (secret) => (secret === null ? null : live(await ofCookie(hashOfSecret(secret)))),
  };
}

async function touch({ db, now, log }: Deps, session: SessionRow): Promise<void> {
  const at = now();
  if (at - session.lastUsedAt < TOUCH_EVERY) return;
  try {
    await db.write((tx) => touchSession(tx, session.coupleId, session.userId, session.id, at));
  } catch (error) {
    // Reading goes on where nothing can be written, on a full disk for one.
    log.warn({ err: error }, 'the last use of a session could not be kept');
  }
}
