import { sql } from 'kysely';
import { authLimits } from '../../auth/rules.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { PushDevicesTable } from '../../base/server/db/tables.ts';
import { ALL_REMINDERS, type ReminderChoices, type ReminderKind } from '../rules.ts';

/** What a user wants to be reminded of. */
export async function readChoices(reader: Reader, coupleId: CoupleId, userId: UserId): Promise<ReminderChoices> {
  const row = await reader
    .selectFrom('reminderChoices')
    .select(['tomorrow', 'starting', 'howWasIt', 'photographs'])
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row ? toChoices(row) : ALL_REMINDERS;
}

function toChoices(row: Readonly<Record<ReminderKind, number | null>>): ReminderChoices {
  const { tomorrow, starting, howWasIt, photographs } = row;
  // Nobody who has never chosen has a row: then all are wanted.
  return {
    tomorrow: tomorrow !== 0,
    starting: starting !== 0,
    howWasIt: howWasIt !== 0,
    photographs: photographs !== 0,
  };
}

/** Saves what a user chose; what is absent stays as it is, also as another of the user's devices has just set it. */
export async function saveChoices(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  choices: { readonly [K in ReminderKind]?: boolean | undefined },
): Promise<void> {
  const numbers = Object.entries(choices).flatMap(([kind, wanted]) =>
    wanted === undefined ? [] : [[kind, Number(wanted)]],
  );
  if (numbers.length === 0) return;
  const chosen = Object.fromEntries(numbers) as Partial<Record<ReminderKind, number>>;
  const rest = { tomorrow: 1, starting: 1, howWasIt: 1, photographs: 1 };
  await tx
    .insertInto('reminderChoices')
    .values({ coupleId, userId, ...rest, ...chosen })
    .onConflict((conflict) => conflict.columns(['coupleId', 'userId']).doUpdateSet(chosen))
    .execute();
}

/** Where a device is told. */
export type PushSubscriptionRow = Pick<PushDevicesTable, 'endpoint' | 'p256dh' | 'auth' | 'device'>;

/** Whose device: it is one with its session, and ends with it. */
export type DeviceKey = Pick<PushDevicesTable, 'userId' | 'sessionId'>;

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
 * Tells a device from now on. Where it was told in another session, or for the partner, this one takes its place: one
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

export async function deleteDevice(tx: Writer, coupleId: CoupleId, { userId, sessionId }: DeviceKey): Promise<void> {
  await tx
    .deleteFrom('pushDevices')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .execute();
}

/** Deletes an endpoint that the push service no longer knows. The device may have another one by now, which stays. */
export async function deleteEndpoint(tx: Writer, coupleId: CoupleId, endpoint: string): Promise<void> {
  await tx.deleteFrom('pushDevices').where('coupleId', '=', coupleId).where('endpoint', '=', endpoint).execute();
}

/** A device that can be told, with what its user wants, and the couple's clock. */
export interface SubscribedDevice extends DeviceKey {
  readonly coupleId: CoupleId;
  readonly device: string;
  readonly timeZone: string;
  readonly choices: ReminderChoices;
}

/** Every device of everybody whose session is alive: this is the server's own round, not somebody's question. */
export async function subscribedDevices(reader: Reader, now: number): Promise<SubscribedDevice[]> {
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
    .select(['tomorrow', 'starting', 'howWasIt', 'photographs'])
    .where('sessions.lastUsedAt', '>', now - authLimits.sessionIdle)
    .where('sessions.createdAt', '>', now - authLimits.sessionMax)
    .execute();
  return rows.map((row) => ({
    coupleId: row.coupleId,
    userId: row.userId,
    sessionId: row.sessionId,
    device: row.device,
    timeZone: row.timeZone,
    choices: toChoices(row),
  }));
}

/** The dates planned within a stretch of time, of all couples that have a device to be told. */
export function datesAround(reader: Reader, from: number, until: number) {
  return reader
    .selectFrom('dates')
    .select(['coupleId', 'id', 'status', 'plannedDateTime', 'endDateTime', 'actualStartTime'])
    .where('coupleId', 'in', (query) => query.selectFrom('pushDevices').select('pushDevices.coupleId'))
    .where('status', 'in', ['Planned', 'InProgress'])
    .where('plannedDateTime', '>', from)
    .where('plannedDateTime', '<', until)
    .where('deletedAt', 'is', null)
    .execute();
}

export type NearDate = Awaited<ReturnType<typeof datesAround>>[number];

/** Photographs that somebody added, a couple's and a date's in one row: they are told of together. */
export async function countAddedPhoto(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  dateId: string,
  now: number,
): Promise<void> {
  await tx
    .insertInto('addedPhotos')
    .values({ coupleId, userId, dateId, count: 1, firstAt: now, lastAt: now })
    .onConflict((conflict) =>
      conflict.columns(['coupleId', 'userId', 'dateId']).doUpdateSet({
        count: sql<number>`"addedPhotos"."count" + 1`,
        lastAt: now,
      }),
    )
    .execute();
}

/** Whether the partner of somebody has a device to be told. */
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

/** All that was added and not yet told. */
export function readAddedPhotos(reader: Reader) {
  return reader.selectFrom('addedPhotos').selectAll().execute();
}

export type AddedPhotos = Awaited<ReturnType<typeof readAddedPhotos>>[number];

/** Takes what was added out, to be told; false where more has come meanwhile, or another node was quicker. */
export async function claimAddedPhotos(
  tx: Writer,
  { coupleId, userId, dateId, lastAt, count }: AddedPhotos,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('addedPhotos')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('dateId', '=', dateId)
    .where('lastAt', '=', lastAt)
    .where('count', '=', count)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
