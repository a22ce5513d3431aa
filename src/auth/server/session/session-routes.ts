import { notFound, Refusal } from '../../../base/refusal.ts';
import { Answer, StreamAnswer } from '../../../base/server/answer.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { toRefusal } from '../../../base/server/errors.ts';
import type { Routes, Session } from '../../../base/server/serve.ts';
import { formatInstant } from '../../../base/time.ts';
import type { authCalls } from '../../contract.ts';
import { sessionEnd } from '../../rules.ts';
import { readUser } from '../store.ts';
import { clearedCookie, cookieSecret } from './cookie.ts';
import { EVENT_STREAM } from './events.ts';
import { issueUnstored } from './memory-tokens.ts';
import type { SessionRow } from './session-store.ts';
import { deleteSession, liveSessions, sessionById } from './session-store.ts';
import type { Auth } from './sessions.ts';
import { renewSession, signedIn } from './sessions.ts';

/** The session of this device, the user's other devices, and what they hear live (contract 2 and 3). */
export function sessionRoutes({ deps, events }: Auth) {
  const { db, config } = deps;
  return {
    'GET /api/auth/session': async ({ session }) => {
      const row = await currentSession(deps, session);
      return { user: await readUser(db.read, row.coupleId, row.userId), expiresAt: formatInstant(sessionEnd(row)) };
    },

    'POST /api/auth/renew': async ({ request, session, now }) => {
      const cookie = cookieSecret(config, request) ?? '';
      const renewed = db
        .write((tx) => renewSession(tx, session, cookie, now))
        .catch(async (error: unknown) => {
          if (toRefusal(error)?.status !== 507) throw error;
          const row = await currentSession(deps, session);
          return { token: issueUnstored(db, row, now), cookie: null, session: row };
        });
      return signedIn(deps, request, await renewed);
    },

    'POST /api/auth/logout': async ({ request, session: { coupleId, userId, sessionId } }) => {
      await db.write((tx) => deleteSession(tx, coupleId, userId, sessionId));
      events.end(userId, { session: sessionId });
      // The photographs that the browser keeps go too.
      return new Answer(null, {
        headers: { 'set-cookie': clearedCookie(config, request), 'clear-site-data': '"cache"' },
      });
    },

    'GET /api/auth/sessions': async ({ session: { coupleId, userId, sessionId }, now }) => {
      const rows = await liveSessions(db.read, coupleId, userId, now);
      return rows.map(({ id, device, createdAt, lastUsedAt }) => ({
        id,
        device,
        createdAt: formatInstant(createdAt),
        lastUsedAt: formatInstant(lastUsedAt),
        current: id === sessionId,
      }));
    },

    'DELETE /api/auth/sessions/{id}': async ({ params: { id }, session: { coupleId, userId } }) => {
      if (!(await db.write((tx) => deleteSession(tx, coupleId, userId, id)))) throw notFound('Device');
      events.end(userId, { session: id });
      return null;
    },

    // A HEAD, which comes this way too, wants no stream that nobody would read.
    'GET /api/events': async ({ request, session }) =>
      request.method === 'GET' ? events.open(session) : new StreamAnswer(null, 200, EVENT_STREAM),
  } satisfies Partial<Routes<typeof authCalls>>;
}

async function currentSession({ db }: Deps, { coupleId, userId, sessionId }: Session): Promise<SessionRow> {
  const row = await sessionById(db.read, coupleId, userId, sessionId);
  // Signed out on another device a moment ago.
  if (!row) throw new Refusal(401, 'Please sign in.');
  return row;
}
