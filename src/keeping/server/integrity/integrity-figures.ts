import type { Reader } from '../../../base/server/db/db.ts';
import { readScheduledJob } from '../../../base/server/job-store.ts';
import { readSweep } from '../../../memories/server/sweep/sweep-state.ts';
import type { BackupState } from '../backup/nightly-backup.ts';
import { countDamagedFiles, countPhotographs } from './damaged-file-store.ts';

/** Figures on all photographs of the server, for monitoring. */
export interface Figures {
  readonly photographs: number;
  readonly damaged: number;
  readonly verifiedAt: number | null;
  readonly hasFailed: boolean;
  /** Whether the sweep is stopped until an operator looks into it. */
  readonly isSweepStopped: boolean;
  /** Stored files that belong to no memory, as of the last sweep. */
  readonly strays: number;
}

/** Reads the figures of the whole server. */
export async function readFigures(reader: Reader, now: number): Promise<Figures> {
  const [photographs, { state }, damaged, sweep] = await Promise.all([
    countPhotographs(reader),
    readScheduledJob<BackupState>(reader, 'backup'),
    countDamagedFiles(reader),
    readSweep(reader, now),
  ]);
  return {
    photographs,
    damaged,
    verifiedAt: state?.verifiedAt ?? null,
    hasFailed: state?.hasFailed ?? false,
    isSweepStopped: sweep.stopped !== null,
    strays: sweep.strays,
  };
}
