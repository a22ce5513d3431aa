import type { FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { LEAVING_COOKIE } from '../../../base/first.ts';
import { Refusal } from '../../../base/refusal.ts';
import { Answer } from '../../../base/server/answer.ts';
import type { Writer } from '../../../base/server/db/db.ts';
import type { SessionsTable } from '../../../base/server/db/tables.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { Session } from '../../../base/server/serve.ts';
import { formatInstant, MINUTE } from '../../../base/time.ts';
import type { SignedIn } from '../../contract.ts';
import { sessionEnd } from '../../rules.ts';
import type { Eraser } from '../couple/deletion-sweep.ts';
import { derivedSecret, hashOfSecret, newSecret } from '../secrets.ts';
import type { Tries } from '../sign-in/rate-limits.ts';
import type { SetupCode } from '../sign-in/setup-code.ts';
import { readUser } from '../store.ts';
import { cookieSecret, cookieValue, sessionCookie } from './cookie.ts';
import { deviceName } from './device-name.ts';
import type { Events } from './events.ts';
import type { SessionRow } from './session-store.ts';
import { deleteSession, insertSession, lockSession, sessionsByCookie, updateCookie } from './session-store.ts';
import { issueToken } from './token-store.ts';

/** What the routes of this slice work with. */
export interface Auth {
  readonly deps: Deps;
  readonly tries: Tries;
  readonly events: Events;
  readonly setup: SetupCode;
  readonly eraser: Eraser;
}

/** A session with a new bearer token, and the cookie's secret where the browser is to get one. */
export interface Opened {
  readonly token: string;
  readonly cookie: string | null;
  readonly session: SessionRow;
}

/** A new session for the device that asks. Its two secrets are told once and stored as hashes (contract 2). */
export async function openSession(
  tx: Writer,
  user: Pick<SessionRow, 'coupleId' | 'userId'>,
  request: FastifyRequest,
  now: number,
): Promise<Opened> {
  const cookie = newSecret(256);
  const id = uuidv7();
  const { coupleId, userId } = user;
  request.signedInAs = userId;
  await insertSession(tx, coupleId, {
    userId,
    id,
    tokenHash: hashOfSecret(cookie),
    device: deviceName(request.headers['user-agent']),
    createdAt: now,
  });
  const session = { coupleId, userId, id, createdAt: now, lastUsedAt: now };
  return { cookie, session, token: await issueToken(tx, session, now) };
}

/**
 * A new bearer token for the session of a cookie (contract 2, renew).
 * @throws Refusal 401 where the session was ended a moment ago
 */
export async function renewSession(
  tx: Writer,
  { coupleId, userId, sessionId }: Session,
  presented: string,
  now: number,
): Promise<Opened> {
  const session = await lockSession(tx, coupleId, userId, sessionId);
  if (!session) throw new Refusal(401, 'Please sign in.');
  return {
    cookie: await replaceFormerCookie(tx, session, presented, now),
    session,
    token: await issueToken(tx, session, now),
  };
}

/** Requests sent with the former cookie before the browser had the new one are over after this. */
const IN_FLIGHT = MINUTE;

/**
 * A cookie from before migration 0013 holds what was also a bearer token: it is answered with a new one. The new one is
 * derived from the former, so all tabs that renew at once get the same, and an answer that got lost is repeated. Once
 * the new one has come back, the former is void.
 * @returns the new cookie's secret, or null where the cookie stays
 */
async function replaceFormerCookie(
  tx: Writer,
  session: SessionsTable,
  presented: string,
  now: number,
): Promise<string | null> {
  const { formerHash, replacedAt } = session;
  if (formerHash === null) return null;
  if (formerHash === hashOfSecret(presented)) {
    const formerSalt = session.formerSalt ?? newSecret(256);
    const secret = derivedSecret(formerSalt, presented);
    await updateCookie(tx, session, { tokenHash: hashOfSecret(secret), formerSalt, replacedAt: now });
    return secret;
  }
  if (replacedAt !== null && now - replacedAt > IN_FLIGHT) {
    await updateCookie(tx, session, { formerHash: null, formerSalt: null, replacedAt: null });
  }
  return null;
}

/** What a sign-in and a renewal answer: the token for the page's memory, and the cookie that no script can read. */
export async function signedIn(
  deps: Deps,
  request: FastifyRequest,
  { token, cookie, session }: Opened,
): Promise<Answer<SignedIn>> {
  await endLeftSession(deps, request, session);
  const user = await readUser(deps.db.read, session.coupleId, session.userId);
  const body = { token, expiresAt: formatInstant(sessionEnd(session)), user };
  return new Answer(body, {
    headers: cookie === null ? {} : { 'set-cookie': sessionCookie(deps.config, request, cookie) },
  });
}

/** A browser that signed out while the server could not be told, and signs in anew: the session it left ends. */
async function endLeftSession({ db, config, log }: Deps, request: FastifyRequest, current: SessionRow): Promise<void> {
  const secret = cookieSecret(config, request);
  if (secret === null || cookieValue(request, LEAVING_COOKIE) === null) return;
  try {
    const left = await sessionsByCookie(db.read)(hashOfSecret(secret));
    if (left === undefined || left.id === current.id) return;
    await db.write((tx) => deleteSession(tx, left.coupleId, left.userId, left.id));
  } catch (error) {
    log.warn({ err: error }, 'a session that was left could not be ended');
  }
}
