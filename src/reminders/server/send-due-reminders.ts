import { MINUTE } from '../../base/durations.ts';
import type { Deps } from '../../base/server/deps.ts';
import { type Rounds, startRounds } from '../../base/server/jobs/rounds.ts';
import { queueDateReminders } from './queue-date-reminders.ts';
import { queuePhotoReminders } from './queue-photo-reminders.ts';
import { sendPendingReminders } from './send-pending-reminders.ts';
import { readOrCreateVapidKeys } from './vapid-keys.ts';

const EVERY_MS = MINUTE;

/** Starts the scheduler, which sends due reminders every minute. Failures are logged and retried. */
export function startReminders(deps: Deps): Rounds {
  return startRounds(EVERY_MS, (isStopped) => sendDueReminders(deps, isStopped));
}

/**
 * Queues the reminders that are due, one row per device, and sends the queue: for all couples, in batches, until nothing is
 * left. Every node does so. A reminder's key lets it be queued once, and its claim lets one node send it.
 */
export async function sendDueReminders(deps: Deps, isStopped: () => boolean = () => false): Promise<void> {
  const mayContinue = () => !isStopped();
  // The keys first, so that they are there from the first start.
  for (const step of [readOrCreateVapidKeys, queueDateReminders, queuePhotoReminders, sendPendingReminders]) {
    if (!mayContinue()) return;
    try {
      await step(deps, mayContinue);
    } catch (error) {
      deps.log.error({ err: error }, 'reminders failed');
    }
  }
}
