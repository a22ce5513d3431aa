import { DAY } from '../../base/durations.ts';
import type { Deps } from '../../base/server/deps.ts';

/** How long sent reminders are remembered: longer than any stays due. */
const HISTORY_MS = 30 * DAY;

/** Deletes old reminders and records of sent ones, of all couples: a step of the sweep. */
export async function sweepReminders({ db, now }: Deps): Promise<void> {
  const before = now() - HISTORY_MS;
  await db.write((tx) => tx.deleteFrom('reminders').where('createdAt', '<', before).execute());
  await db.write((tx) => tx.deleteFrom('toldReminders').where('toldAt', '<', before).execute());
}
