import { DAY } from '../../base/durations.ts';
import type { CoupleId } from '../../base/ids.ts';
import type { Writer } from '../../base/server/db/db.ts';
import { subscribedDevices } from './push-device-store.ts';
import { enqueueReminders, newReminder } from './reminder-queue.ts';

/** How long a reminder of revealed notes stays useful. */
const USEFUL_MS = DAY;

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
    until: now + USEFUL_MS,
  } as const;
  const wanted = devices.filter(({ choices }) => choices.notes);
  await enqueueReminders(
    tx,
    wanted.map((device) => newReminder(device, fields, now)),
  );
}
