import { readInBatches } from '../../base/server/db/read-in-batches.ts';
import type { Deps } from '../../base/server/deps.ts';
import { usableZone } from '../../base/time-zones.ts';
import { dueReminders, REMINDED_STATUSES } from '../due-reminders.ts';
import type { ReminderKind } from '../rules.ts';
import { datesAround, type NearDate } from './near-dates.ts';
import { subscribedDevices } from './push-device-store.ts';
import { enqueueReminders, newReminder, readKnownReminders } from './reminder-queue.ts';

/** The key of a date's reminder. A date that is rescheduled gets new ones. */
export function dateKey(kind: ReminderKind, date: { readonly id: string; readonly plannedDateTime: number }): string {
  return `${kind} ${date.id} ${date.plannedDateTime}`;
}

/**
 * Queues the reminders of dates that are due now, of all couples, for each device whose user wants them. A reminder that
 * is queued already, here or by another node, stays as it is, so every node does this every minute.
 */
export async function queueDateReminders(deps: Deps, mayContinue: () => boolean): Promise<void> {
  const at = deps.now();
  for (const status of REMINDED_STATUSES) {
    const batches = readInBatches<NearDate>((...page) => datesAround(deps.db.read, status, at, ...page));
    for await (const dates of batches) {
      if (!mayContinue()) return;
      await queueRemindersOf(deps, dates, at);
    }
  }
}

async function queueRemindersOf(deps: Deps, dates: readonly NearDate[], at: number): Promise<void> {
  const due = dates.flatMap((date) =>
    dueReminders(date, at, usableZone(date.timeZone)).map(({ kind, until }) => ({
      coupleId: date.coupleId,
      fields: { key: dateKey(kind, date), kind, dateId: date.id, until },
    })),
  );
  if (due.length === 0) return;
  const { db } = deps;
  const coupleIds = [...new Set(due.map(({ coupleId }) => coupleId))];
  const keys = due.map(({ fields }) => fields.key);
  const [devices, isKnown] = await Promise.all([
    subscribedDevices(db.read, coupleIds, at),
    readKnownReminders(db.read, coupleIds, keys),
  ]);
  const ofCouple = Map.groupBy(devices, ({ coupleId }) => coupleId);
  const fresh = due.flatMap(({ coupleId, fields }) =>
    (ofCouple.get(coupleId) ?? [])
      .filter((device) => device.choices[fields.kind] && !isKnown(device, fields.key))
      .map((device) => newReminder(device, fields, at)),
  );
  // If a session has ended meanwhile, the next minute queues them.
  if (fresh.length > 0) await db.write((tx) => enqueueReminders(tx, fresh));
}
