import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { readMilestones } from './figures.ts';

/** Reads the milestones that a user has been shown. */
export async function readSeenMilestones(reader: Reader, coupleId: CoupleId, userId: UserId): Promise<string[]> {
  const rows = await reader
    .selectFrom('celebrations')
    .select('milestone')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .execute();
  return rows.map(({ milestone }) => milestone);
}

/** Marks milestones as shown to a user. Returns those that weren't before, so that only one of two windows shows each. */
export async function markMilestonesSeen(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  milestones: readonly string[],
  seenAt: number,
): Promise<string[]> {
  if (milestones.length === 0) return [];
  const rows = await tx
    .insertInto('celebrations')
    .values(milestones.map((milestone) => ({ coupleId, userId, milestone, seenAt })))
    .onConflict((conflict) => conflict.columns(['coupleId', 'userId', 'milestone']).doNothing())
    .returning('milestone')
    .execute();
  return rows.map(({ milestone }) => milestone);
}

/**
 * Forgets, for both partners, that milestones were shown since a moment, if they are no longer reached. They are
 * celebrated when they are reached again.
 */
export async function takeBackCelebrations(tx: Writer, coupleId: CoupleId, since: number): Promise<void> {
  const lost = (await readMilestones(tx, coupleId)).filter(({ earnedAt }) => earnedAt === null).map(({ id }) => id);
  if (lost.length === 0) return;
  await tx
    .deleteFrom('celebrations')
    .where('coupleId', '=', coupleId)
    .where('milestone', 'in', lost)
    .where('seenAt', '>=', since)
    .execute();
}
