import type { Reader } from '../../../base/server/db/db.ts';
import { readScheduledJob } from '../../../base/server/jobs/job-store.ts';
import { type OrphanFigures, readOrphans } from '../../../memories/server/sweep/orphans.ts';
import type { BackupState } from '../backup/nightly-backup.ts';
import { countDamagedFiles, countPhotographs } from './scrub-store.ts';

/** Figures on all photographs of the server, for monitoring. */
export interface IntegrityFigures {
  readonly photographs: number;
  readonly damaged: number;
  readonly verifiedAt: number | null;
  readonly hasFailed: boolean;
  readonly orphans: OrphanFigures;
}

/** Reads the figures of the whole server. */
export async function readFigures(reader: Reader): Promise<IntegrityFigures> {
  const [photographs, { state }, damaged, orphans] = await Promise.all([
    countPhotographs(reader),
    readScheduledJob<BackupState>(reader, 'backup'),
    countDamagedFiles(reader),
    readOrphans(reader),
  ]);
  return {
    photographs,
    damaged,
    verifiedAt: state?.verifiedAt ?? null,
    hasFailed: state?.hasFailed ?? false,
    orphans,
  };
}
