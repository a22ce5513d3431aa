import type { Deps } from '../../base/server/deps.ts';
import { withLease } from '../../base/server/jobs/lease.ts';
import { type Rounds, startRounds } from '../../base/server/jobs/rounds.ts';
import { MINUTE } from '../../base/time.ts';
import { checkNextCouples } from './date-reminders.ts';
import { queueAddedPhotos } from './photo-reminders.ts';
import { sendPending } from './push-reminders.ts';
import { correctChecks } from './reminder-checks.ts';
import { deleteOldReminders, findDueWork } from './reminder-queue.ts';
import { repeat } from './repeat.ts';
import { vapidKeys } from './vapid-keys.ts';

const EVERY_MS = MINUTE;

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
