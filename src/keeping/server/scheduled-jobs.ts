import { sweepDeletions } from '../../auth/server/couple/deletion-sweep.ts';
import { MINUTE } from '../../base/durations.ts';
import type { Deps } from '../../base/server/deps.ts';
import { isClockTrusted } from '../../base/server/jobs/is-clock-trusted.ts';
import { type Rounds, startRounds } from '../../base/server/jobs/rounds.ts';
import { raiseAlarms } from './alarms/raise-alarms.ts';
import { backUpNightly } from './backup/nightly-backup.ts';
import { recountKeptBytes } from './integrity/recount-kept-bytes.ts';
import { scrubNextBatch } from './integrity/scrub.ts';

/** How often to check whether a job is due. The database records what is done. */
const EVERY_MS = 10 * MINUTE;

/**
 * Starts the scheduled jobs: due deletions of spaces, the nightly backup and recount, and the hourly part of the scrub, one
 * after the other; and the operator's alarms, which wait for none of them, since a backup may take hours, or never end.
 */
export function startScheduledJobs(deps: Deps): Rounds[] {
  const sequences = [[deleteDueSpaces, backUpNightly, recountKeptBytes, scrubNextBatch], [raiseAlarms]];
  return sequences.map((jobs) =>
    startRounds(EVERY_MS, async (isStopped) => {
      for (const job of jobs) {
        if (isStopped()) return;
        // A failing job, for example on a full disk, must not stop the app.
        await job(deps, isStopped).catch((error: unknown) => deps.log.error({ err: error }, 'a scheduled job failed'));
      }
    }),
  );
}

async function deleteDueSpaces(deps: Deps, isStopped: () => boolean): Promise<void> {
  if (await isClockTrusted(deps)) await sweepDeletions(deps, isStopped);
}
