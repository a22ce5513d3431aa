import type { Deps } from '../../base/server/deps.ts';
import type { Routes } from '../../base/server/serve.ts';
import { formatInstant } from '../../base/time.ts';
import type { keepingCalls } from '../contract.ts';
import { readChore } from './chore-store.ts';
import { damagesOf } from './damage-store.ts';
import { exportRoutes } from './export-routes.ts';
import type { BackupState } from './nightly.ts';

const orNull = (at: number | null) => (at === null ? null : formatInstant(at));

/** The calls of keeping safe. */
export function keepingRoutes(deps: Deps): Routes<typeof keepingCalls> {
  const { db, config } = deps;
  return {
    ...exportRoutes(deps),

    'GET /api/keeping': async ({ session }) => {
      const [backup, scrub, damages] = await Promise.all([
        readChore<BackupState>(db.read, 'backup'),
        readChore(db.read, 'scrub'),
        damagesOf(db.read, session.coupleId),
      ]);
      return {
        backup: {
          isOn: config.backupDir !== null,
          doneAt: orNull(backup.doneAt),
          verifiedAt: orNull(backup.state?.verifiedAt ?? null),
          hasFailed: backup.state?.hasFailed ?? false,
        },
        scrub: {
          doneAt: orNull(scrub.doneAt),
          damaged: damages.map(({ id, dateId, caption, originalFileName, kind, foundAt }) => ({
            id,
            plannedDateId: dateId,
            title: caption ?? originalFileName,
            kind,
            foundAt: formatInstant(foundAt),
          })),
        },
      };
    },
  };
}
