import type { Change } from '../../base/change.ts';
import { MINUTE } from '../../base/durations.ts';
import type { CoupleId } from '../../base/ids.ts';
import type { Writer } from '../../base/server/db/db.ts';
import { countAddedPhoto } from './added-photo-store.ts';
import { isPartnerSubscribed } from './push-device-store.ts';

/** A photograph that was uploaded longer ago was restored. */
const RECENT_MS = 5 * MINUTE;

/**
 * Counts a new photograph for the partner's reminder, in the transaction that adds it. A restored photograph is older
 * and doesn't count.
 */
export async function countPhotoForReminder(
  now: number,
  tx: Writer,
  coupleId: CoupleId,
  { entity, action, id, by }: Change,
): Promise<void> {
  if (entity !== 'memory' || action !== 'created' || !(await isPartnerSubscribed(tx, coupleId, by))) return;
  const memory = await tx
    .selectFrom('memories')
    .select(['dateId', 'uploadedAt'])
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (memory && now - memory.uploadedAt <= RECENT_MS) await countAddedPhoto(tx, coupleId, by, memory.dateId, now);
}
