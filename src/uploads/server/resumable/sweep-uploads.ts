import type { Deps } from '../../../base/server/deps.ts';
import { memoryLimits } from '../../../memories/rules.ts';
import { allCouples } from '../../../memories/server/pending-file-store.ts';
import { deleteParts } from './parts.ts';
import { deleteUpload, uploadsStartedBefore } from './upload-store.ts';

/** Deletes resumable uploads that were started too long ago, finished or not, and removes the parts they left. */
export async function sweepUploads(deps: Deps): Promise<void> {
  const now = deps.now();
  for (const coupleId of await allCouples(deps.db.read)) {
    for (const { id } of await uploadsStartedBefore(deps.db.read, coupleId, now - memoryLimits.unfinishedMs, now)) {
      await deleteParts(deps, coupleId, id);
      await deps.db.write((tx) => deleteUpload(tx, coupleId, id));
    }
  }
}
