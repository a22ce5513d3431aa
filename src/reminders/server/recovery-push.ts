import type { TellOfRecovery } from '../../auth/server/auth-services.ts';
import { partnerRecoveries } from '../../auth/server/recovery/recovery-store.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { RecoveryNotice } from '../push-notice.ts';
import { subscribedDevices } from './push-device-store.ts';
import { enqueueReminders, type PendingReminder, readActor } from './reminder-queue.ts';

/**
 * Queues the push that tells a user of a link for a new password, for each of the user's devices, in the transaction that
 * makes the link. It is no reminder that a user can turn off: it is how they learn of it in time.
 */
export const queueRecoveryPush: TellOfRecovery = async (tx, coupleId, { id, createdBy, forUser, expiresAt }, now) => {
  const devices = await subscribedDevices(tx, [coupleId], now);
  const own = devices.filter(({ userId }) => userId === forUser);
  await enqueueReminders(
    tx,
    own.map(({ userId, sessionId }) => ({
      coupleId,
      userId,
      sessionId,
      key: `recovery ${id}`,
      kind: 'recovery',
      // The link's id in place of a date's.
      dateId: id,
      addedBy: createdBy,
      count: null,
      until: expiresAt,
      createdAt: now,
    })),
  );
};

/** Reads the notice of a link for a new password; null if the link no longer stands. */
export async function readRecoveryNotice(
  reader: Reader,
  reminder: PendingReminder,
  now: number,
): Promise<RecoveryNotice | null> {
  const standing = await partnerRecoveries(reader, reminder.coupleId, now);
  const by = await readActor(reader, reminder);
  if (by === null || !standing.some(({ id }) => id === reminder.dateId)) return null;
  return { kind: 'recovery', by };
}
