import { formatInstant } from '../../base/instants.ts';
import type { Routes } from '../../base/server/calls/route-types.ts';
import type { Deps } from '../../base/server/deps.ts';
import { findMismatch, type Mismatch } from '../../base/server/files/store-identity.ts';
import { readScheduledJob } from '../../base/server/jobs/job-store.ts';
import { readAsVisible } from '../../dates/server/visibility-store.ts';
import type { keepingCalls } from '../contract.ts';
import { type BackupState, isBackupOn } from './backup/nightly-backup.ts';
import { exportRoutes } from './export/export-routes.ts';
import { damagedFilesOf } from './integrity/scrub-store.ts';

const orNull = (at: number | null) => (at === null ? null : formatInstant(at));

/** The calls of keeping safe. */
export function keepingRoutes(deps: Deps): Routes<typeof keepingCalls> {
  const { db, now } = deps;
  return {
    ...exportRoutes(deps),

    'GET /api/keeping': async ({ session }) => {
      const [isOn, backup, scrub, damagedFiles, stopped] = await Promise.all([
        isBackupOn(db.read, now()),
        readScheduledJob<BackupState>(db.read, 'backup'),
        readScheduledJob(db.read, 'scrub'),
        readAsVisible(db.read, session, now(), (visibility) => damagedFilesOf(db.read, visibility)),
        mismatchIfKnown(deps),
      ]);
      return {
        backup: {
          isOn,
          doneAt: orNull(backup.doneAt),
          verifiedAt: orNull(backup.state?.verifiedAt ?? null),
          hasFailed: backup.state?.hasFailed ?? false,
        },
        scrub: {
          doneAt: orNull(scrub.doneAt),
          damaged: damagedFiles.map(({ id, dateId, caption, originalFileName, kind, foundAt }) => ({
            id,
            plannedDateId: dateId,
            title: caption ?? originalFileName,
            kind,
            foundAt: formatInstant(foundAt),
          })),
        },
        sweep: { stopped },
      };
    },
  };
}

/** Whether this node's photo store is the right one. A store that doesn't answer must not hide the rest. */
async function mismatchIfKnown(deps: Deps): Promise<Mismatch | null> {
  return findMismatch(deps).catch(() => null);
}
