import { type CoupleId, isId, type UserId } from '../../../base/ids.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import { inOrderAfter } from '../../../base/server/db/in-order-after.ts';
import { findAccount } from '../user-store.ts';

/** A couple as the operator sees it: who uses it, and nothing of what it keeps. Times are in milliseconds. */
export interface CoupleAccount {
  readonly id: CoupleId;
  readonly createdAt: number;
  readonly suspendedAt: number | null;
  /** What the operator lets it keep: null for `QUOTA`, -1 for no limit, otherwise bytes. */
  readonly quotaBytes: number | null;
  readonly members: readonly Member[];
}

export interface Member {
  readonly id: UserId;
  readonly email: string;
  readonly displayName: string;
  readonly createdAt: number;
  /** Null if no device of theirs is signed in. */
  readonly lastUsedAt: number | null;
}

/** The next couples after a given one, in the order of their ids, which is about that of their registration. */
export function listCouples(
  reader: Reader,
  after: Pick<CoupleAccount, 'id'> | null,
  limit: number,
): Promise<CoupleAccount[]> {
  return withMembers(
    reader,
    inOrderAfter(couplesOf(reader), ['id'], after && [after.id])
      .limit(limit)
      .execute(),
  );
}

/** Finds a couple by its id or by the e-mail address of one of its partners. */
export async function findCouple(reader: Reader, idOrEmail: string): Promise<CoupleAccount | undefined> {
  const id = isId(idOrEmail) ? (idOrEmail as CoupleId) : (await findAccount(reader, idOrEmail))?.coupleId;
  if (id === undefined) return undefined;
  return (await withMembers(reader, couplesOf(reader).where('id', '=', id).execute()))[0];
}

function couplesOf(reader: Reader) {
  return reader.selectFrom('couples').select(['id', 'createdAt', 'suspendedAt', 'quotaBytes']);
}

async function withMembers(reader: Reader, found: Promise<Omit<CoupleAccount, 'members'>[]>): Promise<CoupleAccount[]> {
  const couples = await found;
  if (couples.length === 0) return [];
  const ids = couples.map(({ id }) => id);
  const users = await reader
    .selectFrom('users')
    .leftJoin('sessions', (join) =>
      join.onRef('sessions.coupleId', '=', 'users.coupleId').onRef('sessions.userId', '=', 'users.id'),
    )
    .select(['users.coupleId', 'users.id', 'users.email', 'users.displayName', 'users.createdAt'])
    .select(({ fn }) => fn.max('sessions.lastUsedAt').as('lastUsedAt'))
    .where('users.coupleId', 'in', ids)
    .groupBy(['users.coupleId', 'users.id', 'users.email', 'users.displayName', 'users.createdAt'])
    .orderBy('users.createdAt')
    .orderBy('users.id')
    .execute();
  const members = Map.groupBy(users, ({ coupleId }) => coupleId);
  return couples.map((couple) => ({
    ...couple,
    members: (members.get(couple.id) ?? []).map(({ id, email, displayName, createdAt, lastUsedAt }) => ({
      id,
      email,
      displayName,
      createdAt,
      lastUsedAt,
    })),
  }));
}
