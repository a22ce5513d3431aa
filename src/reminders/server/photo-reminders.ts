import type { Change } from '../../base/change.ts';
import type { CoupleId } from '../../base/ids.ts';
import { dueBatches } from '../../base/server/db/batches.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { attempt } from '../../base/server/jobs/attempt.ts';
import { DAY, MINUTE } from '../../base/time.ts';
import { isBatchComplete } from '../rules.ts';
import { enqueueReminders, newReminder } from './reminder-queue.ts';
import {
  type AddedPhotos,
  claimAddedPhotos,
  countAddedPhoto,
  dueAddedPhotos,
  isPartnerSubscribed,
  type SubscribedDevice,
  subscribedDevices,
} from './store.ts';

/** A photograph that was uploaded longer ago was restored. */
const RECENT_MS = 5 * MINUTE;
/** How long a reminder of new photographs stays useful. */
const USEFUL_MS = DAY;

/**
 * Counts a new photograph for the partner's reminder, in the transaction that adds it. A restored photograph is older
 * and doesn't count.
 */
export async function countPhotograph(
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

/** Turns added photographs into reminders, each in one transaction, so that none is lost or announced twice. */
export async function queueAddedPhotos(deps: Deps, mayContinue: () => boolean): Promise<void> {
  const { db, now } = deps;
  const at = now();
  for await (const batch of dueBatches<AddedPhotos>((...page) => dueAddedPhotos(db.read, at, ...page))) {
    if (!mayContinue()) return;
    const coupleIds = [...new Set(batch.map(({ coupleId }) => coupleId))];
    const devices = Map.groupBy(await subscribedDevices(db.read, coupleIds, at), ({ coupleId }) => coupleId);
    for (const added of batch.filter((one) => isBatchComplete(one, at))) {
      await attempt(deps, added.coupleId, 'added photographs were not announced', () =>
        queuePhotoReminder(deps, added, devices.get(added.coupleId) ?? []),
      );
    }
  }
}

async function queuePhotoReminder(
  { db, now }: Deps,
  added: AddedPhotos,
  devices: readonly SubscribedDevice[],
): Promise<void> {
  const at = now();
  const { userId: addedBy, dateId, count, firstAt } = added;
  const partners = devices.filter((device) => device.userId !== addedBy && device.choices.photographs);
  const fields = {
    kind: 'photographs',
    key: `photographs ${dateId} ${firstAt}`,
    dateId,
    until: at + USEFUL_MS,
  } as const;
  const reminders = partners.map((device) => ({ ...newReminder(device, fields, at), addedBy, count }));
  await db.write(async (tx) => {
    if (await claimAddedPhotos(tx, added)) await enqueueReminders(tx, reminders);
  });
}
