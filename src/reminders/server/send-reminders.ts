import { hash as digest } from 'node:crypto';
import PQueue from 'p-queue';
import type { Change } from '../../base/change.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { ReminderChecksTable } from '../../base/server/db/tables.ts';
import type { Deps } from '../../base/server/deps.ts';
import { withLease } from '../../base/server/lease.ts';
import { type Rounds, startRounds } from '../../base/server/rounds.ts';
import { DAY, formatInstant, MINUTE } from '../../base/time.ts';
import type { Notice, PushNotice } from '../notice.ts';
import { dueReminders, HORIZON, isBatchComplete, nextReminderAt, type ReminderKind } from '../rules.ts';
import { post } from './push-request.ts';
import { readRecoveryNotice } from './recovery-push.ts';
import {
  type CheckResult,
  correctChecks,
  dueChecks,
  MAX_CHECK_MS,
  requestCheck,
  saveChecks,
} from './reminder-checks.ts';
import {
  claimReminder,
  deleteOldReminders,
  enqueueReminders,
  findDueWork,
  finishReminder,
  type PendingReminder,
  postponeReminder,
  type Reminder,
  readDevice,
  readKnownReminders,
  readPendingReminders,
  readSubject,
  recordSent,
} from './reminder-queue.ts';
import {
  type AddedPhotos,
  claimAddedPhotos,
  countAddedPhoto,
  datesAround,
  deleteEndpoint,
  dueAddedPhotos,
  isPartnerSubscribed,
  type NearDate,
  readChoices,
  type SubscribedDevice,
  subscribedDevices,
} from './store.ts';
import { subjectOf, vapidKeys } from './vapid-keys.ts';

const EVERY_MS = MINUTE;
const MAX_TRIES = 6;
const AT_ONCE = 6;
/** Photographs or reminders per query. Both engines accept about 32,000 values in one statement. */
const BATCH = 500;
/** Couples per batch of checks. Fewer, because each takes processor time, for its time zone, while no request is served. */
const CHECKS = 100;
/** When to check a couple again after an error. */
const RETRY_MS = MINUTE;
const RECENT_MS = 5 * MINUTE;
/** How long a reminder of new photographs stays useful. */
const PHOTO_REMINDER_TTL_MS = DAY;
/** How long a reminder of revealed notes stays useful. */
const NOTES_REMINDER_TTL_MS = DAY;

/** Starts the scheduler, which sends due reminders every minute. Failures are logged and retried. */
export function startReminders(deps: Deps): Rounds {
  return startRounds(EVERY_MS, async (isStopped) => {
    try {
      // It creates the keys at the first start.
      await vapidKeys(deps);
      await sendDueReminders(deps, isStopped);
    } catch (error) {
      deps.log.error({ err: error }, 'reminders failed');
    }
  });
}

/**
 * Queues the reminders that are due, one row per device, and sends the queue: for all couples, in batches, until nothing is
 * left. Two leases make sure that one node queues and one sends, so that a slow push service doesn't delay the queue.
 * A round with nothing due is one query.
 */
export async function sendDueReminders(deps: Deps, isStopped: () => boolean = () => false): Promise<void> {
  const { db, now } = deps;
  const before = await findDueWork(db.read, now());
  if (before.toQueue)
    await withLease(deps, 'reminders', ({ isHeld }) => queueAll(deps, () => isHeld() && !isStopped()));
  if (before.toSend || before.toQueue) {
    await withLease(deps, 'pushes', ({ isHeld }) => sendPending(deps, () => isHeld() && !isStopped()));
  }
}

async function queueAll(deps: Deps, mayContinue: () => boolean): Promise<void> {
  const { db, now } = deps;
  await db.write((tx) => correctChecks(tx, now()));
  await repeat(mayContinue, () => checkNextCouples(deps));
  await repeat(mayContinue, () => queueAddedPhotos(deps));
  await repeat(mayContinue, () => db.write((tx) => deleteOldReminders(tx, now())));
}

/** Repeats a batch until it reports that nothing is left. */
async function repeat(mayContinue: () => boolean, batch: () => Promise<boolean>): Promise<void> {
  while (mayContinue() && (await batch()));
}

function dateKey(kind: ReminderKind, date: { readonly id: string; readonly plannedDateTime: number }): string {
  // A date that is rescheduled gets new reminders.
  return `${kind} ${date.id} ${date.plannedDateTime}`;
}

/**
 * Checks the couples that have waited longest: queues their due reminders and saves when to check them next.
 * @returns whether there may be more
 */
async function checkNextCouples(deps: Deps): Promise<boolean> {
  const { db, now, log } = deps;
  const at = now();
  const checks = await dueChecks(db.read, at, CHECKS);
  if (checks.length === 0) return false;
  const findFresh = await readSituation(deps, checks, at);
  const results = checks.map((check) => {
    try {
      return { ...check, ...findFresh(check.coupleId) };
    } catch (error) {
      logCoupleError(deps, check.coupleId, error);
      return { ...check, fresh: [], nextAt: at + RETRY_MS };
    }
  });
  const save = (some: readonly (CheckResult & { readonly fresh: readonly Reminder[] })[]) =>
    db.write(async (tx) => {
      await enqueueReminders(
        tx,
        some.flatMap(({ fresh }) => fresh),
      );
      await saveChecks(tx, some);
    });
  try {
    await save(results);
  } catch (error) {
    // For example, a session ended meanwhile. One couple must not block the others.
    log.warn({ err: error }, 'a batch of reminders is queued couple by couple');
    for (const result of results) {
      await save([result]).catch(async (cause: unknown) => {
        logCoupleError(deps, result.coupleId, cause);
        await save([{ ...result, fresh: [], nextAt: at + RETRY_MS }]);
      });
    }
  }
  return checks.length === CHECKS;
}

/**
 * Reads what decides the reminders of these couples.
 * @returns a function that finds a couple's reminders to queue, and when to check it next
 */
async function readSituation({ db }: Deps, checks: readonly ReminderChecksTable[], at: number) {
  const coupleIds = checks.map(({ coupleId }) => coupleId);
  const [devices, dates, isKnown] = await Promise.all([
    subscribedDevices(db.read, coupleIds, at),
    datesAround(db.read, coupleIds, at - HORIZON.before, at + HORIZON.ahead),
    readKnownReminders(db.read, coupleIds),
  ]);
  const devicesByCouple = Map.groupBy(devices, ({ coupleId }) => coupleId);
  const datesByCouple = Map.groupBy(dates, ({ coupleId }) => coupleId);
  return (coupleId: CoupleId): { fresh: Reminder[]; nextAt: number } => {
    const ofCouple = devicesByCouple.get(coupleId) ?? [];
    const near = datesByCouple.get(coupleId) ?? [];
    const zones = ofCouple.slice(0, 1).map(({ timeZone }) => timeZone);
    const fresh = near.flatMap((date) => {
      const due = zones.flatMap((zone) => dueReminders(date, at, zone));
      return ofCouple.flatMap((device) => forDevice(date, due, device, at).filter(({ key }) => !isKnown(device, key)));
    });
    const next = near.flatMap((date) => zones.map((zone) => nextReminderAt(date, at, zone)));
    return { fresh, nextAt: Math.min(at + MAX_CHECK_MS, ...next) };
  };
}

/** Returns those of a date's due reminders that the user of a device wants. */
function forDevice(
  date: NearDate,
  due: ReturnType<typeof dueReminders>,
  device: SubscribedDevice,
  at: number,
): Reminder[] {
  return due
    .filter(({ kind }) => device.choices[kind])
    .map(({ kind, until }) => newReminder(device, { key: dateKey(kind, date), kind, dateId: date.id, until }, at));
}

function logCoupleError({ log }: Deps, coupleId: CoupleId, error: unknown): void {
  log.error({ err: error, couple: coupleId }, 'the reminders of a couple failed');
}

/**
 * Turns added photographs into reminders, each in one transaction, so that none is lost or announced twice.
 * @returns whether there may be more
 */
async function queueAddedPhotos(deps: Deps): Promise<boolean> {
  const { db, now } = deps;
  const at = now();
  const batch = await dueAddedPhotos(db.read, at, BATCH);
  if (batch.length === 0) return false;
  const coupleIds = [...new Set(batch.map(({ coupleId }) => coupleId))];
  const devices = Map.groupBy(await subscribedDevices(db.read, coupleIds, at), ({ coupleId }) => coupleId);
  let queued = 0;
  for (const added of batch.filter((one) => isBatchComplete(one, at))) {
    try {
      await queuePhotoReminder(deps, added, devices.get(added.coupleId) ?? []);
      queued += 1;
    } catch (error) {
      // One couple's bad row doesn't block the others.
      logCoupleError(deps, added.coupleId, error);
    }
  }
  return batch.length === BATCH && queued > 0;
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
    until: at + PHOTO_REMINDER_TTL_MS,
  } as const;
  const reminders = partners.map((device) => ({ ...newReminder(device, fields, at), addedBy, count }));
  await db.write(async (tx) => {
    if (await claimAddedPhotos(tx, added)) await enqueueReminders(tx, reminders);
  });
}

/**
 * Queues the reminders that a date's two notes were revealed, for each device whose user wants them, in the transaction
 * that reveals them: both partners get one if and only if it commits.
 */
export async function queueNotesReminder(tx: Writer, coupleId: CoupleId, dateId: string, now: number): Promise<void> {
  const devices = await subscribedDevices(tx, [coupleId], now);
  const fields = {
    kind: 'notes',
    key: `notes ${dateId} ${now}`,
    dateId,
    until: now + NOTES_REMINDER_TTL_MS,
  } as const;
  const wanted = devices.filter(({ choices }) => choices.notes);
  await enqueueReminders(
    tx,
    wanted.map((device) => newReminder(device, fields, now)),
  );
}

function newReminder(
  { coupleId, userId, sessionId }: SubscribedDevice,
  fields: Pick<Reminder, 'key' | 'kind' | 'dateId' | 'until'>,
  createdAt: number,
): Reminder {
  return { coupleId, userId, sessionId, ...fields, addedBy: null, count: null, createdAt };
}

async function sendPending(deps: Deps, mayContinue: () => boolean): Promise<void> {
  await repeat(mayContinue, async () => {
    const pending = await readPendingReminders(deps.db.read, deps.now(), BATCH);
    const turns = new PQueue({ concurrency: AT_ONCE });
    for (const reminder of pending) {
      void turns
        .add(async () => (mayContinue() ? sendOne(deps, reminder) : undefined))
        .catch((error: unknown) => deps.log.error({ err: error }, 'a reminder could not be sent'));
    }
    await turns.onIdle();
    return pending.length === BATCH;
  });
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
  readonly device: Awaited<ReturnType<typeof readDevice>> | null;
}

async function push(deps: Deps, reminder: PendingReminder): Promise<PushResult> {
  const { db, config, now, log } = deps;
  const at = now();
  const device = await readDevice(db.read, reminder);
  const notice = device && at < reminder.until ? await readNotice(deps, reminder, device.timeZone) : null;
  if (!device || notice === null) return { status: null, device: null };
  const { endpoint, p256dh, auth } = device;
  const { default: webPush } = await import('web-push');
  try {
    const keys = await vapidKeys(deps);
    const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(notice), {
      vapidDetails: { subject: subjectOf(config), ...keys },
      TTL: Math.max(60, Math.floor((reminder.until - at) / 1000)),
      urgency: reminder.kind === 'starting' || reminder.kind === 'recovery' ? 'high' : 'normal',
      // If it is sent twice after all, the push service delivers only the later one.
      topic: digest('sha256', reminder.key, 'base64url').slice(0, 32),
    });
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

/** Reads the notice to send for a reminder; null if it is no longer wanted, or what it is about is gone. */
async function readNotice(deps: Deps, reminder: PendingReminder, zone: string): Promise<PushNotice | null> {
  const { db, now } = deps;
  const { kind } = reminder;
  if (kind === 'recovery') return readRecoveryNotice(db.read, reminder, now());
  const subject = await readSubject(db.read, reminder, now());
  if (subject === null || !(await isWanted(deps, { ...reminder, kind }, subject, zone))) return null;
  return noticeOf({ ...reminder, kind }, subject);
}

/** A reminder of a date. */
type DateReminder = PendingReminder & { readonly kind: ReminderKind };

/** Whether to still send a reminder: the date hasn't changed since, and the user wants this kind. */
async function isWanted({ db, now }: Deps, reminder: DateReminder, { date }: Subject, zone: string): Promise<boolean> {
  const { kind, key, coupleId, userId } = reminder;
  const choices = await readChoices(db.read, coupleId, userId);
  if (!choices[kind]) return false;
  // The memories of a hidden date don't exist for the partner.
  if (kind === 'photographs') return !date.isHidden;
  if (kind === 'notes') return true;
  return dateKey(kind, date) === key && dueReminders(date, now(), zone).some((due) => due.kind === kind);
}

function noticeOf({ kind, count }: DateReminder, { date, addedBy }: Subject): Notice {
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
 * Follows a change in its transaction: counts a new photograph, and asks for a check if a reminder may be due now.
 * @param only the partner who alone may know of it
 */
export async function followChange(
  now: number,
  tx: Writer,
  coupleId: CoupleId,
  change: Change,
  only?: UserId,
): Promise<void> {
  if (only === undefined) await countPhotograph(now, tx, coupleId, change);
  if (change.entity === 'plannedDate' || change.entity === 'couple') await requestCheck(tx, coupleId, now);
}

/**
 * Counts a new photograph for the partner's reminder, in the transaction that adds it. A restored photograph is older
 * and doesn't count.
 */
async function countPhotograph(
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
