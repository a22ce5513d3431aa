import { formatInstant } from '../../../base/instants.ts';
import { notFound, notSignedIn } from '../../../base/refusal.ts';
import { Answer, StreamAnswer } from '../../../base/server/calls/answer.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { CLEAR_CACHE } from '../../../base/server/http/send-problem.ts';
import { toRefusal } from '../../../base/server/http/to-refusal.ts';
import type { authCalls } from '../../contract.ts';
import { sessionEnd } from '../../rules.ts';
import type { AuthServices } from '../auth-services.ts';
import { readUser } from '../user-store.ts';
import { EVENT_STREAM } from './event-streams.ts';
import { clearedCookie, secretUnderOldName } from './session-cookie.ts';
import type { SessionRow } from './session-store.ts';
import { activeSessions, deleteSession, sessionById } from './session-store.ts';
import { assertSignedIn, renewSession, signedInReply } from './sessions.ts';
import { issueNodeToken } from './tokens-of-one-node.ts';

/** Routes for this device's session, the user's other devices, and the stream of live changes. */
export function sessionRoutes({ deps, events }: AuthServices) {
  const { db } = deps;
  return {
    'GET /api/auth/session': async ({ session }) => {
      const row = await currentSession(deps, session);
      return {
        user: await readUser(db.read, deps.config, row.coupleId, row.userId),
        expiresAt: formatInstant(sessionEnd(row)),
      };
    },

    'POST /api/auth/renew': async ({ request, session, now }) => {
      const cookie = secretUnderOldName(deps, request);
      const renewed = db
        .write((tx) => renewSession(tx, session, cookie, now))
        .catch(async (error: unknown) => {
          if (toRefusal(error)?.status !== 507) throw error;
          const row = await currentSession(deps, session);
          return { token: issueNodeToken(db, row, now), cookie, session: row };
        });
      return signedInReply(deps, request, await renewed);
    },

    'POST /api/auth/logout': async ({ request, session: { coupleId, userId, sessionId } }) => {
      await db.write((tx) => deleteSession(tx, coupleId, userId, sessionId));
      events.end(userId, { session: sessionId });
      // This also clears the photographs in the browser's cache.
      return new Answer(null, {
        headers: { 'set-cookie': clearedCookie(deps, request), 'clear-site-data': CLEAR_CACHE },
      });
    },

    'GET /api/auth/sessions': async ({ session: { coupleId, userId, sessionId }, now }) => {
      const rows = await activeSessions(db.read, coupleId, userId, now);
      return rows.map(({ id, device, createdAt, lastUsedAt }) => ({
        id,
        device,
        createdAt: formatInstant(createdAt),
        lastUsedAt: formatInstant(lastUsedAt),
        current: id === sessionId,
      }));
    },

    'DELETE /api/auth/sessions/{id}': async ({ params: { id }, session }) => {
      await db.write(async (tx) => {
        await assertSignedIn(tx, session);
        if (!(await deleteSession(tx, session.coupleId, session.userId, id))) throw notFound('Device');
      });
      events.end(session.userId, { session: id });
      return null;
    },

    // A HEAD request is routed here too, and must not open a stream.
    'GET /api/events': async ({ request, session }) =>
      request.method === 'GET' ? events.open(session) : new StreamAnswer(null, 200, EVENT_STREAM),
  } satisfies Partial<Routes<typeof authCalls>>;
}

async function currentSession({ db }: Deps, { coupleId, userId, sessionId }: Session): Promise<SessionRow> {
  const row = await sessionById(db.read, coupleId, userId, sessionId);
  // Another device has just ended this session.
  if (!row) throw notSignedIn();
  return row;
}
