import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { inOrderAfter } from '../../base/server/db/in-order-after.ts';
import { isNotSuspended } from '../../base/server/db/is-not-suspended.ts';
import type { PushDevicesTable, RemindersTable } from '../../base/server/db/tables/tables.ts';
import type { Queue } from '../../base/server/jobs/send-queued-rows.ts';
import { findDate } from '../../dates/server/visible-dates.ts';
import type { SubscribedDevice } from './push-device-store.ts';

/** A reminder for one device, sent once. */
export type Reminder = Omit<RemindersTable, 'heldUntil' | 'tries' | 'doneAt'>;
type Key = Pick<RemindersTable, 'coupleId' | 'userId' | 'sessionId' | 'key'>;

/** Rows per INSERT, few enough for one statement (see `MOST_VALUES`). */
const ROWS_AT_ONCE = 1_000;

/** Returns a predicate: whether one of these reminders is already queued for a device, or was sent to it. */
export async function readKnownReminders(
  reader: Reader,
  coupleIds: readonly CoupleId[],
  keys: readonly string[],
): Promise<(device: Pick<PushDevicesTable, 'userId' | 'sessionId' | 'device'>, key: string) => boolean> {
  const [queued, told] = await Promise.all([
    reader
      .selectFrom('reminders')
      .select(['sessionId', 'key'])
      .where('coupleId', 'in', coupleIds)
      .where('key', 'in', keys)
      .execute(),
    reader
      .selectFrom('toldReminders')
      .select(['userId', 'device', 'key'])
      .where('coupleId', 'in', coupleIds)
      .where('key', 'in', keys)
      .execute(),
  ]);
  const known = new Set([
    ...queued.map(({ sessionId, key }) => `${sessionId} ${key}`),
    ...told.map(({ userId, device, key }) => `${userId} ${device} ${key}`),
  ]);
  return ({ userId, sessionId, device }, key) =>
    known.has(`${sessionId} ${key}`) || known.has(`${userId} ${device} ${key}`);
}

/** Records that a reminder was sent to a device. The record outlives the device's session. */
export async function recordSent(
  tx: Writer,
  { coupleId, userId, key }: Key,
  device: string,
  toldAt: number,
): Promise<void> {
  await tx
    .insertInto('toldReminders')
    .values({ coupleId, userId, device, key, toldAt })
    .onConflict((conflict) => conflict.columns(['coupleId', 'userId', 'device', 'key']).doNothing())
    .execute();
}

/** A reminder for a device. */
export function newReminder(
  { coupleId, userId, sessionId }: SubscribedDevice,
  fields: Pick<Reminder, 'key' | 'kind' | 'dateId' | 'until'>,
  createdAt: number,
): Reminder {
  return { coupleId, userId, sessionId, ...fields, addedBy: null, count: null, createdAt };
}

/** Queues reminders. One that another node has queued stays as it is. */
export async function enqueueReminders(tx: Writer, reminders: readonly Reminder[]): Promise<void> {
  for (let from = 0; from < reminders.length; from += ROWS_AT_ONCE) {
    const rows = reminders.slice(from, from + ROWS_AT_ONCE);
    await tx
      .insertInto('reminders')
      .values(rows.map((reminder) => ({ ...reminder, heldUntil: 0, tries: 0, doneAt: null })))
      .onConflict((conflict) => conflict.columns(['coupleId', 'userId', 'sessionId', 'key']).doNothing())
      .execute();
  }
}

export type PendingReminder = RemindersTable;

const MAX_TRIES = 6;

/** The queue of reminders. Those of a suspended couple wait until it is resumed, or expire (running.suspended.4). */
export const reminderQueue: Queue<PendingReminder> = {
  what: 'a reminder',
  pending: (reader, now, after, limit) => {
    const pending = reader
      .selectFrom('reminders')
      .selectAll()
      .where('doneAt', 'is', null)
      .where('heldUntil', '<=', now)
      .where(isNotSuspended('reminders.coupleId'));
    const columns = ['heldUntil', 'createdAt', 'coupleId', 'userId', 'sessionId', 'key'] as const;
    return inOrderAfter(pending, columns, after && columns.map((column) => after[column]))
      .limit(limit)
      .execute();
  },
  update: async (tx, { coupleId, userId, sessionId, key }, changes, freeAt) => {
    const { numUpdatedRows } = await tx
      .updateTable('reminders')
      .set(changes)
      .where('coupleId', '=', coupleId)
      .where('userId', '=', userId)
      .where('sessionId', '=', sessionId)
      .where('key', '=', key)
      .where('doneAt', 'is', null)
      .$if(freeAt !== undefined, (row) => row.where('heldUntil', '<=', freeAt ?? 0))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  mayRetry: ({ tries }) => tries + 1 < MAX_TRIES,
};

/** Reads the device of a reminder, or undefined if it is gone. */
export function readDevice(reader: Reader, { coupleId, userId, sessionId }: PendingReminder) {
  return reader
    .selectFrom('pushDevices')
    .innerJoin('couples', 'couples.id', 'pushDevices.coupleId')
    .innerJoin('users', (join) =>
      join.onRef('users.coupleId', '=', 'pushDevices.coupleId').onRef('users.id', '=', 'pushDevices.userId'),
    )
    .select(['endpoint', 'p256dh', 'auth', 'device', 'timeZone', 'formats'])
    .where('pushDevices.coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
}

/** Reads the name of the user who added the photographs or made the link of a reminder; null if there is none. */
export async function readActor(reader: Reader, { coupleId, addedBy }: PendingReminder): Promise<string | null> {
  if (addedBy === null) return null;
  const user = await reader
    .selectFrom('users')
    .select('displayName')
    .where('coupleId', '=', coupleId)
    .where('id', '=', addedBy)
    .executeTakeFirst();
  return user?.displayName ?? null;
}

/** Reads what a reminder of a date refers to: the date as the user may see it, and names; null if the date is gone. */
export async function readSubject(reader: Reader, reminder: PendingReminder, now: number) {
  const { coupleId, userId, dateId } = reminder;
  const date = await findDate(reader, { coupleId, userId }, dateId, now);
  return date ? { date, addedBy: await readActor(reader, reminder) } : null;
}
