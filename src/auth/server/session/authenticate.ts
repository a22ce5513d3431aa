import type { FastifyRequest } from 'fastify';
import { MINUTE } from '../../../base/durations.ts';
import { notSignedIn } from '../../../base/refusal.ts';
import type { Access, RouteDeps } from '../../../base/server/calls/route-types.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { bearerToken } from '../../../base/server/http/bearer-token.ts';
import { SIGN_OUT_PENDING_COOKIE } from '../../sign-out-cookie.ts';
import { suspendedRefusal } from '../operator/assert-not-suspended.ts';
import { assertOwnOrigin } from '../origin.ts';
import { cookieSecret, cookieValue } from './session-cookie.ts';
import { createSessionFinder } from './session-finder.ts';
import type { SessionRow } from './session-store.ts';
import { deleteSession, touchSession } from './session-store.ts';
import { sessionEnded } from './sessions.ts';

/** Sessions whose last use a node remembers. */
const MAX_TOUCHED_SESSIONS = 1_000;

/** How stale `lastUsedAt` may become, in milliseconds. This avoids a write for every call. */
const TOUCH_EVERY = 5 * MINUTE;

/**
 * Returns a function that finds the session of a request: by the bearer token;
 * for a photo also by the cookie; for a renewal by the cookie only. It rejects writes from another site's page.
 * That function throws Refusal 401 or 403: to a member of a suspended space for everything but signing out.
 */
export function createAuthenticator(deps: Deps): RouteDeps['authenticate'] {
  const { byToken, byCookie } = createSessionFinder(deps);
  const touch = createToucher(deps);
  const find = (request: FastifyRequest, access: Access) => {
    const hasHeader = request.headers.authorization !== undefined;
    if (access === 'renew' || (access === 'photo' && !hasHeader)) {
      return byCookie(cookieSecret(deps, request));
    }
    return byToken(bearerToken(request));
  };
  return async (request, access) => {
    const session = await find(request, access);
    if (session === null) {
      throw access === 'renew' && cookieSecret(deps, request) !== null ? sessionEnded() : notSignedIn();
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) assertOwnOrigin(deps.config, request, { required: access === 'renew' });
    if (session.suspendedAt !== null && access !== 'signOut') {
      if (access === 'renew') await endIfSignedOut(deps, request, session);
      throw suspendedRefusal();
    }
    const touched = touch(session);
    // A read does not wait for a write, which another process may hold up.
    if (!isRead) await touched;
    return { coupleId: session.coupleId, userId: session.userId, sessionId: session.id };
  };
}

/**
 * A browser that has signed out needs a token to say so, and gets none while its space is suspended. So its renewal ends
 * the session.
 * @throws Refusal 401 if it has
 */
async function endIfSignedOut({ db }: Deps, request: FastifyRequest, session: SessionRow): Promise<void> {
  if (cookieValue(request, SIGN_OUT_PENDING_COOKIE) === null) return;
  await db.write((tx) => deleteSession(tx, session.coupleId, session.userId, session.id));
  throw sessionEnded();
}

/**
 * Returns a function that saves when a session was last used, if the saved time is too old. Of the calls that a page makes
 * at once, only the first writes: each commit would empty the caches.
 */
function createToucher({ db, now, log }: Deps): (session: SessionRow) => Promise<void> {
  const touched = new Map<string, number>();
  return async ({ coupleId, userId, id, lastUsedAt }) => {
    const at = now();
    if (at - Math.max(lastUsedAt, touched.get(id) ?? 0) < TOUCH_EVERY) return;
    if (touched.size >= MAX_TOUCHED_SESSIONS) touched.clear();
    touched.set(id, at);
    try {
      await db.write((tx) => touchSession(tx, coupleId, userId, id, at));
    } catch (error) {
      touched.delete(id);
      // Reads must keep working when writes fail, for example on a full disk.
      log.warn({ err: error }, 'the last use of a session could not be saved');
    }
  };
}
