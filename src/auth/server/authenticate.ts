import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../base/refusal.ts';
import type { Deps } from '../../base/server/deps.ts';
import { readOnce } from '../../base/server/remembered.ts';
import type { Ports } from '../../base/server/serve.ts';
import { MINUTE } from '../../base/time.ts';
import { sessionEnd } from '../rules.ts';
import { cookieToken } from './cookie.ts';
import { assertOwnOrigin } from './origin.ts';
import { hashOfSecret } from './secrets.ts';
import type { SessionRow } from './session-store.ts';
import { sessionsByToken, touchSession } from './session-store.ts';

/** How stale the moment of a session's last use may become: a write for every call would be one too many. */
const TOUCH_EVERY = 5 * MINUTE;

/**
 * Finds the session of a request (contract 2, One session, two carriers): by the bearer token; of a photograph also by
 * the cookie; of a renewal by the cookie alone. What changes something and comes from a foreign page is then refused.
 * @throws by the returned function: Refusal 401, then 403
 */
export function authenticator(deps: Deps): Ports['authenticate'] {
  const find = sessionFinder(deps);
  return async (request, access) => {
    const session = await find(carried(deps, request, access));
    if (session === null) throw new Refusal(401, 'Please sign in.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      assertOwnOrigin(deps.config, request, { required: access === 'renew' });
    }
    await touch(deps, session);
    return { coupleId: session.coupleId, userId: session.userId, sessionId: session.id };
  };
}

function carried({ config }: Deps, request: FastifyRequest, access: 'session' | 'photo' | 'renew'): string | null {
  if (access === 'renew') return cookieToken(config, request);
  const { authorization } = request.headers;
  if (authorization === undefined) return access === 'photo' ? cookieToken(config, request) : null;
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;
}

/** So many sessions are kept between two commits. */
const SESSIONS = 1_000;

/** Finds the live session of a token, or null. */
export function sessionFinder({
  db,
  now,
}: Pick<Deps, 'db' | 'now'>): (token: string | null) => Promise<SessionRow | null> {
  const byToken = readOnce(db, SESSIONS, sessionsByToken(db.read));
  return async (token) => {
    if (token === null) return null;
    const session = await byToken(hashOfSecret(token));
    return session !== undefined && now() < sessionEnd(session) ? session : null;
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
