import type { CoupleId } from '../../base/ids.ts';
import type { ReminderChecksTable } from '../../base/server/db/tables/tables.ts';
import type { Deps } from '../../base/server/deps.ts';
import { MINUTE } from '../../base/time.ts';
import { dueReminders, HORIZON, nextReminderAt, type ReminderKind } from '../rules.ts';
import { logCoupleError } from './log-couple-error.ts';
import { type CheckResult, dueChecks, MAX_CHECK_MS, saveChecks } from './reminder-checks.ts';
import { enqueueReminders, newReminder, type Reminder, readKnownReminders } from './reminder-queue.ts';
import { datesAround, type NearDate, type SubscribedDevice, subscribedDevices } from './store.ts';

/** Couples per batch of checks. Few, because each takes processor time, for its time zone, while no request is served. */
const CHECKS = 100;
/** When to check a couple again after an error. */
const RETRY_MS = MINUTE;

/** The key of a date's reminder. A date that is rescheduled gets new ones. */
export function dateKey(kind: ReminderKind, date: { readonly id: string; readonly plannedDateTime: number }): string {
  return `${kind} ${date.id} ${date.plannedDateTime}`;
}

/**
 * Checks the couples that have waited longest: queues their due reminders and saves when to check them next.
 * @returns whether there may be more
 */
export async function checkNextCouples(deps: Deps): Promise<boolean> {
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
