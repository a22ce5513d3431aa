import type { CoupleId } from '../../../base/ids.ts';
import { dueBatches } from '../../../base/server/db/batches.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { withLease } from '../../../base/server/lease.ts';
import { belongingOf, mismatchOf } from '../../../base/server/store-identity.ts';
import { lockCouple } from '../store.ts';
import {
  coupleExists,
  deleteCouple,
  deleteErasure,
  dueDeletions,
  nextErasure,
  readDeletion,
} from './deletion-store.ts';

type ErasureDeps = Pick<Deps, 'db' | 'files' | 'now' | 'log'>;

/** Files removed at once. The lease is checked before each batch. */
const BATCH = 100;

/**
 * Deletes the spaces whose 30 days of notice are over, then the files of deleted spaces. Each request is read again in
 * the transaction that deletes the space, because it may have been withdrawn. A database that was put back from a copy
 * may hold a request that was withdrawn later, so nothing is deleted if the photo store has seen a newer one.
 */
export async function sweepDeletions(deps: ErasureDeps, isStopped: () => boolean): Promise<void> {
  const { db, now } = deps;
  const at = now();
  const batches = dueBatches<DueDeletion>((...page) => dueDeletions(db.read, at, ...page));
  // Take the lease only if a deletion is due.
  const first: IteratorResult<readonly DueDeletion[], void> = await batches.next();
  if (!first.done && (await hasItsOwnStore(deps, 'a space was not deleted after its notice'))) {
    await withLease(deps, 'deletions', async ({ isHeld }) => {
      const mayContinue = () => isHeld() && !isStopped();
      for (let batch: IteratorResult<readonly DueDeletion[], void> = first; !batch.done; batch = await batches.next()) {
        for (const { coupleId } of batch.value) if (mayContinue()) await deleteDue(deps, coupleId);
        if (!mayContinue()) return;
      }
    });
  }
  await sweepErasures(deps, isStopped);
}

type DueDeletion = Awaited<ReturnType<typeof dueDeletions>>[number];

async function deleteDue({ db, now, log }: ErasureDeps, coupleId: CoupleId): Promise<void> {
  const request = await db.write(async (tx) => {
    await lockCouple(tx, coupleId);
    const found = await readDeletion(tx, coupleId);
    if (found === undefined || found.dueAt > now()) return null;
    await deleteCouple(tx, coupleId, now());
    return found;
  });
  if (request !== null) log.info({ event: 'space deleted after its notice', user: request.askedBy }, 'security event');
}

/**
 * Removes the files of deleted couples, on one node at a time. A couple stays in `erasures` until all of its files are
 * gone, so if a node crashes, the next sweep finishes the work.
 */
async function sweepErasures(deps: ErasureDeps, isStopped: () => boolean): Promise<void> {
  const { db } = deps;
  if ((await nextErasure(db.read)) === null) return;
  if (!(await hasItsOwnStore(deps, 'the files of a deleted space were not removed'))) return;
  await withLease(deps, 'erasures', async ({ isHeld }) => {
    const mayContinue = () => isHeld() && !isStopped();
    // Query again after each couple: more spaces may have been deleted.
    for (let coupleId = await nextErasure(db.read); coupleId !== null && mayContinue(); ) {
      await eraseFiles(deps, coupleId, mayContinue);
      coupleId = await nextErasure(db.read);
    }
  });
}

/** Whether the database and the photo store belong together. If not, it logs what is left undone. */
async function hasItsOwnStore(deps: ErasureDeps, undone: string): Promise<boolean> {
  const reason = mismatchOf(await belongingOf(deps));
  if (reason === null) return true;
  deps.log.error({ reason }, `${undone}: the photo store belongs to another state of the database`);
  return false;
}

async function eraseFiles({ db, files }: ErasureDeps, coupleId: CoupleId, mayContinue: () => boolean): Promise<void> {
  // The space was restored from an export or a backup, so its files are needed.
  const isRestored = await coupleExists(db.read, coupleId);
  for (;;) {
    const names = isRestored ? [] : await takeFirst(files.list(coupleId), BATCH);
    if (!mayContinue()) return;
    if (names.length === 0) break;
    await Promise.all(names.map((name) => files.remove(name)));
  }
  await db.write((tx) => deleteErasure(tx, coupleId));
}

async function takeFirst(names: AsyncIterable<string>, count: number): Promise<string[]> {
  const first: string[] = [];
  for await (const name of names) {
    first.push(name);
    if (first.length === count) break;
  }
  return first;
}

/** Removes the files of deleted spaces in the background. */
export interface Eraser {
  /** Starts now. The next `sweepDeletions` finishes what this leaves. */
  wake(): void;
  /** Stops after the current batch. */
  stop(): Promise<void>;
}

export function openEraser(deps: ErasureDeps): Eraser {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  return {
    wake: () => {
      running = running
        .then(() => sweepErasures(deps, () => stopped))
        .catch((error: unknown) =>
          deps.log.warn({ err: error }, 'files of a deleted space are left to the next sweep'),
        );
    },
    stop: () => {
      stopped = true;
      return running;
    },
  };
}
