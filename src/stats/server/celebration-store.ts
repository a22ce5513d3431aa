import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';

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
