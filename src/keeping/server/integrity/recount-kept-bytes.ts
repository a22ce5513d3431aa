import type { CoupleId } from '../../../base/ids.ts';
import type { Db, Reader } from '../../../base/server/db/db.ts';
import { inOrderAfter } from '../../../base/server/db/in-order-after.ts';
import { readInBatches } from '../../../base/server/db/read-in-batches.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { attemptForCouple } from '../../../base/server/jobs/attempt-for-couple.ts';
import { readScheduledJob, saveScheduledJob } from '../../../base/server/jobs/job-store.ts';
import { withLease } from '../../../base/server/jobs/lease.ts';
import { readKeptBy } from '../../../memories/server/count-store.ts';
import { recount } from '../../../memories/server/quota/kept-bytes.ts';
import { isNightlyJobDue } from '../../rules.ts';

type RecountDeps = Pick<Deps, 'db' | 'now' | 'log'>;

/**
 * Counts each night, on one node, what every couple keeps, and corrects the numbers that the quota goes by
 * (uploads.quota.4): nodes of older versions and imports don't add to them.
 */
export async function recountKeptBytes(deps: RecountDeps, isStopped: () => boolean): Promise<void> {
  const { db, now } = deps;
  const startedAt = now();
  const isDue = async () => {
    const { doneAt } = await readScheduledJob(db.read, 'recount');
    return isNightlyJobDue(doneAt, startedAt, new Date(startedAt).getHours());
  };
  if (!(await isDue())) return;
  await withLease(deps, 'recount', async ({ isHeld, owner }) => {
    const mayContinue = () => isHeld() && !isStopped();
    if (!(await isDue()) || !(await recountAll(deps, mayContinue))) return;
    await db.write((tx) => saveScheduledJob(tx, 'recount', { doneAt: startedAt, owner }));
  });
}

/** @returns false if it stopped early */
async function recountAll(deps: RecountDeps, mayContinue: () => boolean): Promise<boolean> {
  for await (const coupleId of miscountedCouples(deps.db)) {
    if (!mayContinue()) return false;
    await attemptForCouple(deps, coupleId, 'the bytes of a couple were not counted', async () => {
      const wasWrong = await deps.db.write((tx) => recount(tx, coupleId));
      if (wasWrong)
        deps.log.warn({ couple: coupleId }, 'the bytes of a couple were miscounted and have been corrected');
    });
  }
  return true;
}

type Counted = { readonly id: CoupleId; readonly photoBytes: number | null };

/** The couples whose number is not what their photographs add up to, by two queries for every 500 couples. */
async function* miscountedCouples({ read }: Db): AsyncGenerator<CoupleId> {
  for await (const couples of readInBatches<Counted>((after, limit) => countedCouples(read, after, limit))) {
    const kept = await readKeptBy(
      read,
      couples.map(({ id }) => id),
    );
    for (const { id, photoBytes } of couples) if (photoBytes !== (kept.get(id)?.bytes ?? 0)) yield id;
  }
}

function countedCouples(reader: Reader, after: Counted | null, limit: number): Promise<Counted[]> {
  const all = reader.selectFrom('couples').select(['id', 'photoBytes']);
  return inOrderAfter(all, ['id'], after && [after.id])
    .limit(limit)
    .execute();
}
