import type { FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { Answer } from '../../base/server/answer.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { formatInstant } from '../../base/time.ts';
import type { SignedIn } from '../contract.ts';
import { sessionEnd } from '../rules.ts';
import { sessionCookie } from './cookie.ts';
import { deviceName } from './device.ts';
import type { Events } from './events.ts';
import { hashOfSecret, newSecret } from './secrets.ts';
import type { SessionRow } from './session-store.ts';
import { insertSession } from './session-store.ts';
import { readUser } from './store.ts';
import type { Tries } from './tries.ts';

/** What the routes of this slice work with. */
export interface Auth {
  readonly deps: Deps;
  readonly tries: Tries;
  readonly events: Events;
}

export interface NewSession {
  readonly token: string;
  readonly session: SessionRow;
}

/** A new session for the device that asks. Its token is told once and stored as a hash (contract 2). */
export async function openSession(
  tx: Writer,
  user: Pick<SessionRow, 'coupleId' | 'userId'>,
  request: FastifyRequest,
  now: number,
): Promise<NewSession> {
  const token = newSecret(256);
  const id = uuidv7();
  const { coupleId, userId } = user;
  request.signedInAs = userId;
  await insertSession(tx, coupleId, {
    userId,
    id,
    tokenHash: hashOfSecret(token),
    device: deviceName(request.headers['user-agent']),
    createdAt: now,
  });
  return { token, session: { coupleId, userId, id, createdAt: now, lastUsedAt: now } };
}

/** What a sign-in answers: the token for the page's memory, and the cookie that no script can read. */
export async function signedIn(
  deps: Deps,
  request: FastifyRequest,
  { token, session }: NewSession,
): Promise<Answer<SignedIn>> {
  const user = await readUser(deps.db.read, session.coupleId, session.userId);
  const body = { token, expiresAt: formatInstant(sessionEnd(session)), user };
  return new Answer(body, { headers: { 'set-cookie': sessionCookie(deps.config, request, token) } });
}
