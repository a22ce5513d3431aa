import PQueue from 'p-queue';
import type { CoupleId } from '../../base/ids.ts';
import type { Deps } from '../../base/server/deps.ts';
import { removePendingFile } from './pending-file-store.ts';
import { pendingNames } from './stored-names.ts';

/** Photos whose files are removed at once. */
const AT_ONCE = 4;

/** Removes the files of erased photos in the background. */
export interface FileRemover {
  /** Queues the files of photos whose rows are gone and whose stems are recorded as pending. */
  remove(coupleId: CoupleId, stems: readonly string[]): void;
  /** Finishes the photos in progress, and leaves the queued ones to the sweep. */
  stop(): Promise<void>;
}

export function openFileRemover(deps: Pick<Deps, 'db' | 'files' | 'log'>): FileRemover {
  const queue = new PQueue({ concurrency: AT_ONCE });
  return {
    remove: (coupleId, stems) => {
      for (const stem of stems) {
        void queue.add(() => leaveToSweepOnError(deps, () => removeFiles(deps, coupleId, stem)));
      }
    },
    stop: async () => {
      queue.clear();
      await queue.onIdle();
    },
  };
}

/**
 * Removes pending files, then their record.
 * @param pending a stem without a memory, for all of its files, or the name of one file
 */
export async function removeFiles(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  coupleId: CoupleId,
  pending: string,
): Promise<void> {
  await Promise.all(pendingNames(coupleId, pending).map((name) => files.remove(name)));
  await db.write((tx) => removePendingFile(tx, coupleId, pending));
}

/** Runs a cleanup whose failure must not fail the request: the sweep removes the same files later. */
export async function leaveToSweepOnError({ log }: Pick<Deps, 'log'>, cleanUp: () => Promise<unknown>): Promise<void> {
  try {
    await cleanUp();
  } catch (error) {
    log.warn({ err: error }, 'files that are no longer needed are left to the sweep');
  }
}
