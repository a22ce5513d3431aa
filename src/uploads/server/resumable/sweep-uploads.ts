import { readRowByRow } from '../../../base/server/db/read-in-batches.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { attemptForCouple } from '../../../base/server/jobs/attempt-for-couple.ts';
import { memoryLimits } from '../../../memories/rules.ts';
import { deleteParts } from './upload-parts.ts';
import { deleteUpload, type OldUpload, uploadsStartedBefore } from './upload-store.ts';

/** Deletes resumable uploads that were started too long ago, finished or not, and removes the parts they left. */
export async function sweepUploads(deps: Deps, mayContinue: () => boolean = () => true): Promise<void> {
  const { db } = deps;
  const now = deps.now();
  const times = { until: now - memoryLimits.unfinishedMs, now };
  const old = readRowByRow<OldUpload>((...page) => uploadsStartedBefore(db.read, times, ...page));
  for await (const { coupleId, id } of old) {
    if (!mayContinue()) return;
    await attemptForCouple(deps, coupleId, 'an unfinished upload was not deleted', async () => {
      await deleteParts(deps, coupleId, id);
      await db.write((tx) => deleteUpload(tx, coupleId, id));
    });
  }
}
