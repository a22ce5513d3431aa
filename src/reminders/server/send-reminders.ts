import { hash as digest } from 'node:crypto';
import PQueue from 'p-queue';
import type { Change } from '../../base/change.ts';
import type { CoupleId } from '../../base/ids.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { DAY, formatInstant, MINUTE } from '../../base/time.ts';
import type { Notice } from '../notice.ts';
import { dueReminders, HORIZON, isBatchComplete, type ReminderKind } from '../rules.ts';
import { post } from './push-request.ts';
import {
  claimReminder,
  deleteOldReminders,
  enqueueReminders,
  finishReminder,
  type PendingReminder,
  postponeReminder,
  type Reminder,
  readKnownReminders,
  readPendingReminders,
  readSubject,
  recordSent,
} from './reminder-queue.ts';
import {
  claimAddedPhotos,
  countAddedPhoto,
  datesAround,
  deleteEndpoint,
  isPartnerSubscribed,
  type NearDate,
  readAddedPhotos,
  readChoices,
  type SubscribedDevice,
  subscribedDevices,
} from './store.ts';
import { subjectOf, vapidKeys } from './vapid-keys.ts';

const EVERY_MS = MINUTE;
const MAX_TRIES = 6;
const AT_ONCE = 6;
const RECENT_MS = 5 * MINUTE;
/** How long a reminder of new photographs stays useful. */
const PHOTO_REMINDER_TTL_MS = DAY;

/** Starts the scheduler, which sends due reminders every minute. Failures are logged and retried. */
export function startReminders(deps: Deps): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = running
      .then(() => sendDueReminders(deps))
      .catch((error: unknown) => deps.log.error({ err: error }, 'reminders failed'));
  };
  // Create the keys at the first start; later starts read them.
  running = vapidKeys(deps).then(
    () => undefined,
    (error: unknown) => deps.log.error({ err: error }, 'the push keys could not be created'),
  );
  const timer = setInterval(run, EVERY_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** Queues the reminders that are due, one row per device, and sends the queue. */
export async function sendDueReminders(deps: Deps): Promise<void> {
  const devices = await subscribedDevices(deps.db.read, deps.now());
  if (devices.length > 0) {
    await enqueueDateReminders(deps, devices);
    await enqueuePhotoReminders(deps, devices);
  }
  await sendPending(deps);
}

function dateKey(kind: ReminderKind, date: { readonly id: string; readonly plannedDateTime: number }): string {
  // A date that is rescheduled gets new reminders.
  return `${kind} ${date.id} ${date.plannedDateTime}`;
}

async function enqueueDateReminders(deps: Deps, devices: readonly SubscribedDevice[]): Promise<void> {
  const { db, now } = deps;
  const at = now();
  const byCouple = Map.groupBy(devices, ({ coupleId }) => coupleId);
  const isKnown = await readKnownReminders(db.read);
  const dates = await datesAround(db.read, at - HORIZON.before, at + HORIZON.ahead);
  for (const [coupleId, ofCouple] of Map.groupBy(dates, (date) => date.coupleId)) {
    await withCoupleErrorLog(deps, coupleId, async () => {
      const devicesOfCouple = byCouple.get(coupleId) ?? [];
      const fresh = ofCouple.flatMap((date) =>
        devicesOfCouple.flatMap((device) => dueForDevice(date, device, at).filter(({ key }) => !isKnown(device, key))),
      );
      if (fresh.length > 0) await db.write((tx) => enqueueReminders(tx, fresh));
    });
  }
  await db.write((tx) => deleteOldReminders(tx, at));
}

/** Returns the reminders of a date that are due for a device. */
function dueForDevice(date: NearDate, device: SubscribedDevice, at: number): Reminder[] {
  return dueReminders(date, at, device.timeZone)
    .filter(({ kind }) => device.choices[kind])
    .map(({ kind, until }) => newReminder(device, { key: dateKey(kind, date), kind, dateId: date.id, until }, at));
}

/** Runs work for one couple and logs its error, so that one couple's bad row doesn't block the others. */
async function withCoupleErrorLog({ log }: Deps, coupleId: CoupleId, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error, couple: coupleId }, 'the reminders of a couple failed');
  }
}

/** Turns added photographs into reminders in one transaction, so that none is lost or announced twice. */
async function enqueuePhotoReminders(deps: Deps, devices: readonly SubscribedDevice[]): Promise<void> {
  const { db, now } = deps;
  const at = now();
  for (const added of await readAddedPhotos(db.read)) {
    if (!isBatchComplete(added, at)) continue;
    const { coupleId, userId: addedBy, dateId, count, firstAt } = added;
    const partners = devices.filter(
      (device) => device.coupleId === coupleId && device.userId !== addedBy && device.choices.photographs,
    );
    const fields = {
      kind: 'photographs',
      key: `photographs ${dateId} ${firstAt}`,
      dateId,
      until: at + PHOTO_REMINDER_TTL_MS,
    } as const;
    const reminders = partners.map((device) => ({ ...newReminder(device, fields, at), addedBy, count }));
    await withCoupleErrorLog(deps, coupleId, () =>
      db.write(async (tx) => {
        if (await claimAddedPhotos(tx, added)) await enqueueReminders(tx, reminders);
      }),
    );
  }
}

function newReminder(
  { coupleId, userId, sessionId }: SubscribedDevice,
  fields: Pick<Reminder, 'key' | 'kind' | 'dateId' | 'until'>,
  createdAt: number,
): Reminder {
  return { coupleId, userId, sessionId, ...fields, addedBy: null, count: null, createdAt };
}

async function sendPending(deps: Deps): Promise<void> {
  const turns = new PQueue({ concurrency: AT_ONCE });
  for (const reminder of await readPendingReminders(deps.db.read, deps.now())) {
    void turns
      .add(() => sendOne(deps, reminder))
      .catch((error: unknown) => deps.log.error({ err: error }, 'a reminder could not be sent'));
  }
  await turns.onIdle();
}

async function sendOne(deps: Deps, reminder: PendingReminder): Promise<void> {
  const { db, now, log } = deps;
  if (!(await db.write((tx) => claimReminder(tx, reminder, now())))) return;
  const { status, device } = await push(deps, reminder).catch((error: unknown) => {
    // Count it as an attempt, so that a reminder that always fails doesn't stay in the queue.
    log.error({ err: error, couple: reminder.coupleId }, 'a reminder could not be prepared');
    return { status: 0, device: null };
  });
  const retry = status !== null && (status === 0 || status === 429 || status >= 500);
  await db.write(async (tx) => {
    // 404 and 410: the subscription no longer exists.
    if (device && (status === 404 || status === 410)) await deleteEndpoint(tx, reminder.coupleId, device.endpoint);
    else if (device && status !== null && status >= 200 && status < 300)
      await recordSent(tx, reminder, device.device, now());
    if (retry && reminder.tries + 1 < MAX_TRIES)
      await postponeReminder(tx, reminder, now() + 2 ** reminder.tries * MINUTE);
    else await finishReminder(tx, reminder, now());
  });
}

/** The result of a push: the service's status, 0 if it couldn't be reached, null if there was nothing to send. */
interface PushResult {
  readonly status: number | null;
  /** The device it was sent to. */
  readonly device: Subject['device'] | null;
}

async function push(deps: Deps, reminder: PendingReminder): Promise<PushResult> {
  const { db, config, now, log } = deps;
  const at = now();
  const subject = await readSubject(db.read, reminder);
  if (!subject || at >= reminder.until || !(await isWanted(deps, reminder, subject))) {
    return { status: null, device: null };
  }
  const { device } = subject;
  const { endpoint, p256dh, auth } = device;
  const { default: webPush } = await import('web-push');
  try {
    const keys = await vapidKeys(deps);
    const request = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(noticeOf(reminder, subject)),
      {
        vapidDetails: { subject: subjectOf(config), ...keys },
        TTL: Math.max(60, Math.floor((reminder.until - at) / 1000)),
        urgency: reminder.kind === 'starting' ? 'high' : 'normal',
        // If it is sent twice after all, the push service delivers only the later one.
        topic: digest('sha256', reminder.key, 'base64url').slice(0, 32),
      },
    );
    const body = request.body as Buffer;
    const status = await post(endpoint, { headers: request.headers, body }, deps.localPush === true);
    return { status, device };
  } catch (error) {
    // Don't log the address: it is a secret.
    log.warn({ reason: error instanceof Error ? error.message : '' }, 'a push service could not be reached');
    return { status: 0, device };
  }
}

type Subject = NonNullable<Awaited<ReturnType<typeof readSubject>>>;

/** Whether to still send a reminder: the date hasn't changed since, and the user wants this kind. */
async function isWanted({ db, now }: Deps, reminder: PendingReminder, { date, device }: Subject): Promise<boolean> {
  const { kind, key, coupleId, userId } = reminder;
  const choices = await readChoices(db.read, coupleId, userId);
  if (!choices[kind]) return false;
  if (kind === 'photographs') return true;
  return dateKey(kind, date) === key && dueReminders(date, now(), device.timeZone).some((due) => due.kind === kind);
}

function noticeOf({ kind, count }: PendingReminder, { date, addedBy }: Subject): Notice {
  return {
    kind,
    dateId: date.id,
    title: date.title,
    plannedDateTime: formatInstant(date.plannedDateTime),
    location: date.location,
    inProgress: date.status === 'InProgress',
    added: addedBy === null ? null : { by: addedBy, count: count ?? 1 },
  };
}

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
