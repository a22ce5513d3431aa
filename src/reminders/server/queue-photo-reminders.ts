import { DAY } from '../../base/durations.ts';
import { readInBatches } from '../../base/server/db/read-in-batches.ts';
import type { Deps } from '../../base/server/deps.ts';
import { attemptForCouple } from '../../base/server/jobs/attempt-for-couple.ts';
import { isBatchComplete } from '../photo-batch.ts';
import { type AddedPhotos, claimAddedPhotos, dueAddedPhotos } from './added-photo-store.ts';
import { type SubscribedDevice, subscribedDevices } from './push-device-store.ts';
import { enqueueReminders, newReminder } from './reminder-queue.ts';

/** How long a reminder of new photographs stays useful. */
const USEFUL_MS = DAY;

/** Turns added photographs into reminders, each in one transaction, so that none is lost or announced twice. */
export async function queuePhotoReminders(deps: Deps, mayContinue: () => boolean): Promise<void> {
  const { db, now } = deps;
  const at = now();
  for await (const batch of readInBatches<AddedPhotos>((...page) => dueAddedPhotos(db.read, at, ...page))) {
    if (!mayContinue()) return;
    const coupleIds = [...new Set(batch.map(({ coupleId }) => coupleId))];
    const devices = Map.groupBy(await subscribedDevices(db.read, coupleIds, at), ({ coupleId }) => coupleId);
    for (const added of batch.filter((one) => isBatchComplete(one, at))) {
      await attemptForCouple(deps, added.coupleId, 'added photographs were not announced', () =>
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
