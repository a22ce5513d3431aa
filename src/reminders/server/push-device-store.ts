import { authLimits } from '../../auth/rules.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { PushDevicesTable } from '../../base/server/db/tables/tables.ts';
import { usableZone } from '../../base/time-zones.ts';
import type { ReminderChoices } from '../rules.ts';
import { toChoices } from './choice-store.ts';

/** A push subscription. */
export type PushSubscriptionRow = Pick<PushDevicesTable, 'endpoint' | 'p256dh' | 'auth' | 'device'>;

/** A device is identified by its session, and is deleted with it. */
export type DeviceKey = Pick<PushDevicesTable, 'userId' | 'sessionId'>;

/** Whether a device is subscribed. */
export async function isSubscribed(
  reader: Reader,
  coupleId: CoupleId,
  { userId, sessionId }: DeviceKey,
): Promise<boolean> {
  const row = await reader
    .selectFrom('pushDevices')
    .select('sessionId')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Subscribes a device. It replaces subscriptions of the same browser in other sessions, also the partner's, so that a
 * browser shows each reminder once.
 */
export async function saveDevice(
  tx: Writer,
  coupleId: CoupleId,
  { userId, sessionId }: DeviceKey,
  endpoint: PushSubscriptionRow,
  createdAt: number,
): Promise<void> {
  await tx
    .deleteFrom('pushDevices')
    .where('coupleId', '=', coupleId)
    .where('sessionId', '<>', sessionId)
    .where((row) =>
      row.or([
        row('endpoint', '=', endpoint.endpoint),
        row.and([row('userId', '=', userId), row('device', '=', endpoint.device)]),
      ]),
    )
    .execute();
  await tx
    .insertInto('pushDevices')
    .values({ coupleId, userId, sessionId, ...endpoint, createdAt })
    .onConflict((conflict) => conflict.columns(['coupleId', 'userId', 'sessionId']).doUpdateSet(endpoint))
    .execute();
}

/** Unsubscribes a device. */
export async function deleteDevice(tx: Writer, coupleId: CoupleId, { userId, sessionId }: DeviceKey): Promise<void> {
  await tx
    .deleteFrom('pushDevices')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .execute();
}

/** Deletes a subscription that the push service no longer knows, but not a newer one of the same device. */
export async function deleteEndpoint(tx: Writer, coupleId: CoupleId, endpoint: string): Promise<void> {
  await tx.deleteFrom('pushDevices').where('coupleId', '=', coupleId).where('endpoint', '=', endpoint).execute();
}

/** A subscribed device, with its user's choices and the couple's time zone. */
export interface SubscribedDevice extends DeviceKey {
  readonly coupleId: CoupleId;
  readonly device: string;
  readonly timeZone: string;
  readonly choices: ReminderChoices;
}

/** Reads the subscribed devices of these couples whose sessions are valid. */
export async function subscribedDevices(
  reader: Reader,
  coupleIds: readonly CoupleId[],
  now: number,
): Promise<SubscribedDevice[]> {
  const rows = await reader
    .selectFrom('pushDevices')
    .innerJoin('sessions', (join) =>
      join
        .onRef('sessions.coupleId', '=', 'pushDevices.coupleId')
        .onRef('sessions.userId', '=', 'pushDevices.userId')
        .onRef('sessions.id', '=', 'pushDevices.sessionId'),
    )
    .innerJoin('couples', 'couples.id', 'pushDevices.coupleId')
    .leftJoin('reminderChoices', (join) =>
      join
        .onRef('reminderChoices.coupleId', '=', 'pushDevices.coupleId')
        .onRef('reminderChoices.userId', '=', 'pushDevices.userId'),
    )
    .select(['pushDevices.coupleId', 'pushDevices.userId', 'pushDevices.sessionId', 'pushDevices.device'])
    .select('couples.timeZone')
    .select(['tomorrow', 'starting', 'howWasIt', 'photographs', 'reminderChoices.notes'])
    .where('pushDevices.coupleId', 'in', coupleIds)
    .where('sessions.lastUsedAt', '>', now - authLimits.sessionIdle)
    .where('sessions.createdAt', '>', now - authLimits.sessionMax)
    .execute();
  return rows.map((row) => ({
    coupleId: row.coupleId,
    userId: row.userId,
    sessionId: row.sessionId,
    device: row.device,
    timeZone: usableZone(row.timeZone),
    choices: toChoices(row),
  }));
}

/** Whether the user's partner has a subscribed device. */
export async function isPartnerSubscribed(reader: Reader, coupleId: CoupleId, userId: UserId): Promise<boolean> {
  const row = await reader
    .selectFrom('pushDevices')
    .select('sessionId')
    .where('coupleId', '=', coupleId)
    .where('userId', '<>', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
