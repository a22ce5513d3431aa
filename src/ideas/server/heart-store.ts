import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';

/** The partners who have put a heart on each idea. Ideas without hearts are missing. */
export type HeartedBy = ReadonlyMap<string, readonly UserId[]>;

/**
 * Reads who has put a heart on the given ideas, or on all ideas if null. What of it a partner may know, `heartsVisibleTo`
 * decides.
 */
export async function readHearts(
  reader: Reader,
  coupleId: CoupleId,
  ideaIds: readonly string[] | null,
): Promise<HeartedBy> {
  const all = reader.selectFrom('hearts').select(['ideaId', 'userId']).where('coupleId', '=', coupleId);
  const rows = await (ideaIds === null ? all : all.where('ideaId', 'in', ideaIds)).execute();
  const hearted = new Map<string, UserId[]>();
  for (const { ideaId, userId } of rows) hearted.set(ideaId, [...(hearted.get(ideaId) ?? []), userId]);
  return hearted;
}

/** Puts a partner's heart on an idea. @returns false if it was there */
export async function insertHeart(
  tx: Writer,
  coupleId: CoupleId,
  ideaId: string,
  userId: UserId,
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('hearts')
    .values({ coupleId, ideaId, userId, createdAt: now })
    .onConflict((conflict) => conflict.columns(['coupleId', 'ideaId', 'userId']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Takes a partner's heart back. @returns false if there was none */
export async function deleteHeart(tx: Writer, coupleId: CoupleId, ideaId: string, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('hearts')
    .where('coupleId', '=', coupleId)
    .where('ideaId', '=', ideaId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Deletes all hearts of an idea that is deleted. */
export async function deleteHeartsOf(tx: Writer, coupleId: CoupleId, ideaId: string): Promise<void> {
  await tx.deleteFrom('hearts').where('coupleId', '=', coupleId).where('ideaId', '=', ideaId).execute();
}

/** An active idea that both partners want. */
export interface MutualIdea {
  readonly id: string;
  readonly title: string;
  /** The other partner. */
  readonly partnerId: UserId;
}

/** The active ideas on which both this user and the partner have put a heart, in the order in which they became mutual. */
export async function readMutualIdeas(reader: Reader, coupleId: CoupleId, userId: UserId): Promise<MutualIdea[]> {
  const rows = await reader
    .selectFrom('hearts as mine')
    .innerJoin('hearts as theirs', (join) =>
      join
        .onRef('theirs.coupleId', '=', 'mine.coupleId')
        .onRef('theirs.ideaId', '=', 'mine.ideaId')
        .onRef('theirs.userId', '<>', 'mine.userId'),
    )
    .innerJoin('ideas', (join) =>
      join.onRef('ideas.coupleId', '=', 'mine.coupleId').onRef('ideas.id', '=', 'mine.ideaId'),
    )
    .select([
      'ideas.id',
      'ideas.title',
      'theirs.userId as partnerId',
      'mine.createdAt',
      'theirs.createdAt as returnedAt',
    ])
    .where('mine.coupleId', '=', coupleId)
    .where('mine.userId', '=', userId)
    .where('ideas.isActive', '=', 1)
    .where('ideas.deletedAt', 'is', null)
    .execute();
  const mutualSince = (row: (typeof rows)[number]) => Math.max(row.createdAt, row.returnedAt);
  return rows.sort((a, b) => mutualSince(a) - mutualSince(b) || (a.id < b.id ? -1 : 1));
}
