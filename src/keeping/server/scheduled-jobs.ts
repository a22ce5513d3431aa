import { sweepDeletions } from '../../auth/server/couple/deletion-sweep.ts';
import type { Deps } from '../../base/server/deps.ts';
import { MINUTE } from '../../base/time.ts';
import { noteBackupFolder } from './backup/backup-nodes.ts';
import { backUpNightly } from './backup/nightly-backup.ts';
import { scrubNextBatch } from './integrity/scrub.ts';

/** How often it is looked whether something is due; what is done is remembered in the database. */
const EVERY_MS = 10 * MINUTE;

/** What is done by itself: spaces whose notice has run out, the nightly backup, a look at a few photographs an hour. */
export function startScheduledJobs(deps: Deps): { stop(): Promise<void> } {
  let stopped = false;
  const isStopped = () => stopped;
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = running.then(async () => {
      for (const chore of [noteBackupFolder, sweepDeletions, backUpNightly, scrubNextBatch]) {
        if (stopped) return;
        // Reading and writing go on where a chore can't be done, on a full disk for one.
        await chore(deps, isStopped).catch((error: unknown) => deps.log.error({ err: error }, 'a chore failed'));
      }
    });
  };
  run();
  const timer = setInterval(run, EVERY_MS);
  timer.unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
