import type { FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import type { UserId } from '../../../base/ids.ts';
import { formatInstant } from '../../../base/instants.ts';
import { notSignedIn, type Refusal } from '../../../base/refusal.ts';
import { Answer } from '../../../base/server/calls/answer.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { SignedIn } from '../../contract.ts';
import { sessionEnd } from '../../rules.ts';
import { SIGN_OUT_PENDING_COOKIE } from '../../sign-out-cookie.ts';
import { tellByMail } from '../mail/tell-by-mail.ts';
import { assertNotSuspended, suspendedRefusal } from '../operator/assert-not-suspended.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';
import { lockUser, readUser } from '../user-store.ts';
import { deviceName } from './device-name.ts';
import { cookieSecret, cookieValue, sessionCookie } from './session-cookie.ts';
import type { SessionRow } from './session-store.ts';
import { deleteSession, findSessionByCookie, insertSession, lockSession, sessionById } from './session-store.ts';
import { issueToken } from './token-store.ts';

/** A session with a new bearer token, and the cookie's secret if the browser gets a new cookie. */
export interface IssuedSession {
  readonly token: string;
  readonly cookie: string | null;
  readonly session: SessionRow;
}

/**
 * Creates a session for the requesting device. Its two secrets are returned once and stored as hashes (accounts.sessions.4).
 * @throws Refusal 403 if the space is suspended
 */
export async function openSession(
  tx: Writer,
  user: Pick<SessionRow, 'coupleId' | 'userId'>,
  request: FastifyRequest,
  now: number,
): Promise<IssuedSession> {
  await assertNotSuspended(tx, user.coupleId);
  const cookie = newSecret(256);
  const id = uuidv7();
  const { coupleId, userId } = user;
  request.signedInAs = userId;
  await insertSession(tx, coupleId, {
    userId,
    id,
    secretHash: hashOfSecret(cookie),
    device: deviceName(request.headers['user-agent']),
    createdAt: now,
  });
  const session = { coupleId, userId, id, createdAt: now, lastUsedAt: now };
  return { cookie, session, token: await issueToken(tx, session, now) };
}

/**
 * Creates a session for a user who has signed in, and tells them by mail if the device is new: without the cookie of an
 * earlier session of theirs. Every way to sign in calls it.
 * @param earlierUser the user of the request's cookie; given where the request has none, on the way back from a provider
 * @throws Refusal 403 if the space is suspended
 */
export async function signInOn(
  deps: Deps,
  tx: Writer,
  user: Pick<SessionRow, 'coupleId' | 'userId'>,
  request: FastifyRequest,
  now: number,
  earlierUser?: UserId | null,
): Promise<IssuedSession> {
  const earlier = earlierUser === undefined ? await userOfCookie(deps, tx, request) : earlierUser;
  const issued = await openSession(tx, user, request, now);
  if (earlier !== user.userId) {
    await tellByMail(deps, tx, user, 'newDevice', deviceName(request.headers['user-agent']));
  }
  return issued;
}

/** The user of the session of the request's cookie, also of an expired one; null without one. */
export async function userOfCookie(deps: Deps, reader: Reader, request: FastifyRequest): Promise<UserId | null> {
  const secret = cookieSecret(deps, request);
  return secret === null ? null : ((await findSessionByCookie(reader, hashOfSecret(secret)))?.userId ?? null);
}

/**
 * The refusal of a renewal whose session has ended other than by signing out here. The browser may still have the
 * photographs that it has loaded, which it shows without asking.
 */
export function sessionEnded(): Refusal {
  return notSignedIn({ hasEndedSession: true });
}

/**
 * Locks the user of a session until the transaction ends, and checks that the session still exists. Every call that gives
 * or changes access begins with it, so that a new password at the same moment ends what the old one gave (accounts.sessions.16); so
 * does saving a photograph, whose bytes may arrive long after its request was authenticated.
 * @throws Refusal 401 if the session has ended, 403 if the space is suspended
 */
export async function assertSignedIn(tx: Writer, { coupleId, userId, sessionId }: Session): Promise<void> {
  await lockUser(tx, coupleId, userId);
  const session = await sessionById(tx, coupleId, userId, sessionId);
  if (session === undefined) throw notSignedIn();
  if (session.suspendedAt !== null) throw suspendedRefusal();
}

/**
 * Issues a bearer token for the session of a cookie (accounts.sessions.5).
 * @param cookie the secret of a cookie that has to be replaced, or null
 * @throws Refusal 401 if the session has just ended
 */
export async function renewSession(
  tx: Writer,
  { coupleId, userId, sessionId }: Session,
  cookie: string | null,
  now: number,
): Promise<IssuedSession> {
  const session = await lockSession(tx, coupleId, userId, sessionId);
  if (!session) throw sessionEnded();
  return { cookie, session, token: await issueToken(tx, session, now) };
}

/** The reply to a sign-in or a renewal: the token for the page's memory, and the cookie that scripts can't read. */
export async function signedInReply(
  deps: Deps,
  request: FastifyRequest,
  { token, cookie, session }: IssuedSession,
): Promise<Answer<SignedIn>> {
  await endAbandonedSession(deps, request, session);
  const user = await readUser(deps.db.read, deps.config, session.coupleId, session.userId);
  const body = { token, expiresAt: formatInstant(sessionEnd(session)), user };
  return new Answer(body, {
    headers: cookie === null ? {} : { 'set-cookie': sessionCookie(deps, request, cookie) },
  });
}

/** Ends the former session of a browser that signed out offline and then signed in again. @param current the new session, if it has begun */
export async function endAbandonedSession(
  deps: Deps,
  request: FastifyRequest,
  current: SessionRow | null,
): Promise<void> {
  const { db, log } = deps;
  const secret = cookieSecret(deps, request);
  if (secret === null || cookieValue(request, SIGN_OUT_PENDING_COOKIE) === null) return;
  try {
    const abandoned = await findSessionByCookie(db.read, hashOfSecret(secret));
    if (abandoned === undefined || abandoned.id === current?.id) return;
    await db.write((tx) => deleteSession(tx, abandoned.coupleId, abandoned.userId, abandoned.id));
  } catch (error) {
    log.warn({ err: error }, 'an abandoned session could not be ended');
  }
}
