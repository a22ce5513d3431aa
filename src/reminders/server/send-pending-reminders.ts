import { hash as digest } from 'node:crypto';
import type { DateFormats } from '../../base/date-formats.ts';
import { formatInstant } from '../../base/instants.ts';
import type { Deps } from '../../base/server/deps.ts';
import { type SendOutcome, sendQueuedRows } from '../../base/server/jobs/send-queued-rows.ts';
import { dueReminders } from '../due-reminders.ts';
import type { DateNotice, PushNotice } from '../push-notice.ts';
import type { ReminderKind } from '../rules.ts';
import { readChoices } from './choice-store.ts';
import { postToPushService } from './post-to-push-service.ts';
import { deleteEndpoint } from './push-device-store.ts';
import { dateKey } from './queue-date-reminders.ts';
import { readRecoveryNotice } from './recovery-push.ts';
import { type PendingReminder, readDevice, readSubject, recordSent, reminderQueue } from './reminder-queue.ts';
import { readOrCreateVapidKeys, subjectOf } from './vapid-keys.ts';

/** Sends the reminders that wait, of all couples, until none is left. */
export function sendPendingReminders(deps: Deps, mayContinue: () => boolean): Promise<void> {
  return sendQueuedRows(deps, reminderQueue, (reminder) => sendOne(deps, reminder), mayContinue);
}

async function sendOne(deps: Deps, reminder: PendingReminder): Promise<SendOutcome> {
  const { status, device } = await push(deps, reminder);
  return {
    retry: status !== null && (status === 0 || status === 429 || status >= 500),
    save: async (tx) => {
      // 404 and 410: the subscription no longer exists.
      if (device && (status === 404 || status === 410)) await deleteEndpoint(tx, reminder.coupleId, device.endpoint);
      else if (device && status !== null && status >= 200 && status < 300)
        await recordSent(tx, reminder, device.device, deps.now());
    },
  };
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
  const notice = device && at < reminder.until ? await readNotice(deps, reminder, device) : null;
  if (!device || notice === null) return { status: null, device: null };
  const { endpoint, p256dh, auth } = device;
  const { default: webPush } = await import('web-push');
  try {
    const keys = await readOrCreateVapidKeys(deps);
    const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(notice), {
      vapidDetails: { subject: subjectOf(config), ...keys },
      TTL: Math.max(60, Math.floor((reminder.until - at) / 1000)),
      urgency: reminder.kind === 'starting' || reminder.kind === 'recovery' ? 'high' : 'normal',
      // If it is sent twice after all, the push service delivers only the later one.
      topic: digest('sha256', reminder.key, 'base64url').slice(0, 32),
    });
    const body = request.body as Buffer;
    const status = await postToPushService(endpoint, { headers: request.headers, body }, deps.localPush === true);
    return { status, device };
  } catch (error) {
    // Don't log the address: it is a secret.
    log.warn({ reason: error instanceof Error ? error.message : '' }, 'a push service could not be reached');
    return { status: 0, device };
  }
}

type Subject = NonNullable<Awaited<ReturnType<typeof readSubject>>>;

/** Reads the notice to send for a reminder; null if it is no longer wanted, or what it is about is gone. */
async function readNotice(
  deps: Deps,
  reminder: PendingReminder,
  { timeZone: zone, formats }: { readonly timeZone: string; readonly formats: DateFormats | null },
): Promise<PushNotice | null> {
  const { db, now } = deps;
  const { kind } = reminder;
  if (kind === 'recovery') return readRecoveryNotice(db.read, reminder, now());
  const subject = await readSubject(db.read, reminder, now());
  if (subject === null || !(await isWanted(deps, { ...reminder, kind }, subject, zone))) return null;
  return { ...noticeOf({ ...reminder, kind }, subject), formats: formats ?? 'us' };
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

function noticeOf({ kind, count }: DateReminder, { date, addedBy }: Subject): DateNotice {
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
