import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { SessionsTable } from '../../base/server/db/tables.ts';
import { authLimits } from '../rules.ts';

export type SessionRow = Pick<SessionsTable, 'coupleId' | 'userId' | 'id' | 'createdAt' | 'lastUsedAt'>;

/**
 * Finds the session of a token, alive or not. This is what makes the couple's id. It is asked with every call, so the
 * query is put together once.
 */
export function sessionsByToken(reader: Reader): (tokenHash: string) => Promise<SessionRow | undefined> {
  const query = reader
    .selectFrom('sessions')
    .select(['coupleId', 'userId', 'id', 'createdAt', 'lastUsedAt'])
    .where('tokenHash', '=', '')
    .compile();
  return async (tokenHash) => (await reader.executeQuery<SessionRow>({ ...query, parameters: [tokenHash] })).rows[0];
}

/** A session by its id, alive or not. */
export function sessionById(
  reader: Reader,
  coupleId: CoupleId,
  userId: UserId,
  id: string,
): Promise<SessionRow | undefined> {
  return reader
    .selectFrom('sessions')
    .select(['coupleId', 'userId', 'id', 'createdAt', 'lastUsedAt'])
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The sessions of a user that have not ended, the last used first. */
export function liveSessions(reader: Reader, coupleId: CoupleId, userId: UserId, now: number) {
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

/** A new session of a user; those of the same user that ended by themselves go. */
export async function insertSession(
  tx: Writer,
  coupleId: CoupleId,
  session: Omit<SessionsTable, 'coupleId' | 'lastUsedAt'>,
): Promise<void> {
  const now = session.createdAt;
  await tx
    .deleteFrom('sessions')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', session.userId)
    .where((row) =>
      row.or([
        row('lastUsedAt', '<=', now - authLimits.sessionIdle),
        row('createdAt', '<=', now - authLimits.sessionMax),
      ]),
    )
    .execute();
  await tx
    .insertInto('sessions')
    .values({ coupleId, ...session, lastUsedAt: now })
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

/** Ends one session of a user; false where there is none. */
export async function deleteSession(tx: Writer, coupleId: CoupleId, userId: UserId, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Ends all sessions of a user, save one where it is given. */
export async function deleteSessions(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  save: string | null,
): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .$if(save !== null, (sessions) => sessions.where('id', '!=', save))
    .execute();
}
