import { type SqlBool, sql } from 'kysely';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { isNotSuspended } from '../../../base/server/db/is-not-suspended.ts';
import { prepareQuery } from '../../../base/server/db/prepare-query.ts';
import type { CouplesTable, SessionsTable } from '../../../base/server/db/tables/tables.ts';
import { authLimits } from '../../rules.ts';

export type SessionRow = Pick<SessionsTable, 'coupleId' | 'userId' | 'id' | 'createdAt' | 'lastUsedAt'>;

/** A session with the suspension of its space, on which it depends what the session is good for. */
export type FoundSession = SessionRow & Pick<CouplesTable, 'suspendedAt'>;

/** The columns of a session that is joined with its couple. */
export const FOUND_SESSION = [
  'session.coupleId',
  'session.userId',
  'session.id',
  'session.createdAt',
  'session.lastUsedAt',
  'couple.suspendedAt',
] as const;

/** Finds the session of a cookie by the secret's hash, active or expired. Its row gives the couple's id. */
export async function findSessionByCookie(reader: Reader, secretHash: string): Promise<FoundSession | undefined> {
  return (await sessionsByCookie(reader, { secretHash }))[0];
}

const sessionsByCookie = prepareQuery<{ readonly secretHash: string }, FoundSession>((reader, value) =>
  sessions(reader).where('session.tokenHash', '=', value('secretHash')),
);

function sessions(reader: Reader) {
  return reader
    .selectFrom('sessions as session')
    .innerJoin('couples as couple', 'couple.id', 'session.coupleId')
    .select(FOUND_SESSION);
}

/** Finds a session by its id, active or expired. */
export function sessionById(
  reader: Reader,
  coupleId: CoupleId,
  userId: UserId,
  id: string,
): Promise<FoundSession | undefined> {
  return sessions(reader)
    .where('session.coupleId', '=', coupleId)
    .where('session.userId', '=', userId)
    .where('session.id', '=', id)
    .executeTakeFirst();
}

/** How many sessions `idsOfActiveSessions` looks up at once. Each takes three of a statement's parameters. */
export const SESSIONS_PER_QUERY = 1_000;

/** The ids of those among up to `SESSIONS_PER_QUERY` sessions, of any couples, that are neither over nor in a suspended space. */
export async function idsOfActiveSessions(
  reader: Reader,
  sessions: readonly Session[],
  now: number,
): Promise<ReadonlySet<string>> {
  const keys = sessions.map(({ coupleId, userId, sessionId }) => sql`(${coupleId}, ${userId}, ${sessionId})`);
  const rows = await reader
    .selectFrom('sessions')
    .select('id')
    .where(({ refTuple }) => sql<SqlBool>`${refTuple('coupleId', 'userId', 'id')} in (values ${sql.join(keys)})`)
    .where('lastUsedAt', '>', now - authLimits.sessionIdle)
    .where('createdAt', '>', now - authLimits.sessionMax)
    .where(isNotSuspended('sessions.coupleId'))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The active sessions of a user, most recently used first. */
export function activeSessions(reader: Reader, coupleId: CoupleId, userId: UserId, now: number) {
  return reader
    .selectFrom('sessions')
    .select(['id', 'device', 'createdAt', 'lastUsedAt'])
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('lastUsedAt', '>', now - authLimits.sessionIdle)
    .where('createdAt', '>', now - authLimits.sessionMax)
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Inserts a session, and deletes the user's expired ones. */
export async function insertSession(
  tx: Writer,
  coupleId: CoupleId,
  {
    userId,
    id,
    secretHash,
    device,
    createdAt,
  }: Pick<SessionsTable, 'userId' | 'id' | 'device' | 'createdAt'> & { readonly secretHash: string },
): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where((row) =>
      row.or([
        row('lastUsedAt', '<=', createdAt - authLimits.sessionIdle),
        row('createdAt', '<=', createdAt - authLimits.sessionMax),
      ]),
    )
    .execute();
  await tx
    .insertInto('sessions')
    .values({ coupleId, userId, id, tokenHash: secretHash, device, createdAt, lastUsedAt: createdAt })
    .execute();
}

export async function touchSession(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  id: string,
  now: number,
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ lastUsedAt: now })
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('lastUsedAt', '<', now)
    .execute();
}

/**
 * Locks a session until the transaction ends. It leaves `lastUsedAt` unchanged, which each request updates when due.
 * @returns undefined if the session has ended
 */
export function lockSession(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  id: string,
): Promise<SessionsTable | undefined> {
  return tx
    .updateTable('sessions')
    .set(({ ref }) => ({ lastUsedAt: ref('lastUsedAt') }))
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Ends one session of a user, and the user's download paths: they open all photographs, and don't say whose session made
 * them.
 * @returns false if it doesn't exist
 */
export async function deleteSession(tx: Writer, coupleId: CoupleId, userId: UserId, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  await deleteDownloads(tx, coupleId, userId);
  return numDeletedRows === 1n;
}

/**
 * Ends all sessions of a user, except the one with the id `except`, and the user's download paths.
 * @returns how many it has ended
 */
export async function deleteSessions(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  except: string | null = null,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .$if(except !== null, (sessions) => sessions.where('id', '!=', except))
    .executeTakeFirst();
  await deleteDownloads(tx, coupleId, userId);
  return Number(numDeletedRows);
}

async function deleteDownloads(tx: Writer, coupleId: CoupleId, userId: UserId): Promise<void> {
  await tx
    .deleteFrom('codes')
    .where('coupleId', '=', coupleId)
    .where('kind', '=', 'export')
    .where('forUser', '=', userId)
    .execute();
}
