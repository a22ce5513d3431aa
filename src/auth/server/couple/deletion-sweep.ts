import type { CoupleId } from '../../../base/ids.ts';
import { readRowByRow } from '../../../base/server/db/read-in-batches.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { findMismatch, MISMATCHES } from '../../../base/server/files/store-identity.ts';
import { attemptForCouple } from '../../../base/server/jobs/attempt-for-couple.ts';
import { withLease } from '../../../base/server/jobs/lease.ts';
import { readSuspension } from '../operator/suspension-store.ts';
import { lockCouple } from './couple-store.ts';
import {
  deleteCouple,
  deleteErasure,
  dueDeletions,
  hasCouple,
  isErased,
  pendingErasures,
  readDeletion,
} from './deletion-store.ts';

interface ErasureDeps extends Pick<Deps, 'db' | 'files' | 'now'> {
  readonly log: Pick<Deps['log'], 'info' | 'warn' | 'error'>;
}

/**
 * Deletes a couple and its files at once, for the operator (running.admin.5). Files that can't be removed now are left to
 * the next sweep.
 * @returns whether all files are removed
 */
export async function deleteSpace(deps: ErasureDeps, coupleId: CoupleId): Promise<boolean> {
  await deps.db.write(async (tx) => {
    await lockCouple(tx, coupleId);
    await deleteCouple(tx, coupleId, deps.now());
  });
  await sweepErasures(deps, () => false);
  return !(await isErased(deps.db.read, coupleId));
}

const NOT_DELETED = 'a space was not deleted after its notice';
const NOT_REMOVED = 'the files of a deleted space were not removed';

/** Files removed at once. The lease is checked before each batch. */
const BATCH = 100;

/**
 * Deletes the spaces whose 30 days of notice are over, then the files of deleted spaces. Each request is read again in
 * the transaction that deletes the space, because it may have been withdrawn. A database that was put back from a copy
 * may hold a request that was withdrawn later, so nothing is deleted if the photo store has seen a newer one. A space or a
 * file that can't be deleted holds up no other: it is logged, and the next sweep tries it again.
 */
export async function sweepDeletions(deps: ErasureDeps, isStopped: () => boolean): Promise<void> {
  const { db, now } = deps;
  const at = now();
  // Take the lease only if a deletion is due.
  const isDue = (await dueDeletions(db.read, at, null, 1)).length > 0;
  if (isDue && (await hasItsOwnStore(deps, NOT_DELETED))) {
    await withLease(deps, 'deletions', async ({ isHeld }) => {
      for await (const { coupleId } of readRowByRow<DueDeletion>((...page) => dueDeletions(db.read, at, ...page))) {
        if (!isHeld() || isStopped()) return;
        await attemptForCouple(deps, coupleId, NOT_DELETED, () => deleteDue(deps, coupleId));
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
    if (found === undefined || found.dueAt > now() || (await readSuspension(tx, coupleId)) !== null) return null;
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
  if ((await pendingErasures(db.read, null, 1)).length === 0) return;
  if (!(await hasItsOwnStore(deps, NOT_REMOVED))) return;
  await withLease(deps, 'erasures', async ({ isHeld }) => {
    const mayContinue = () => isHeld() && !isStopped();
    for await (const { coupleId } of readRowByRow<PendingErasure>((...page) => pendingErasures(db.read, ...page))) {
      if (!mayContinue()) return;
      await attemptForCouple(deps, coupleId, NOT_REMOVED, () => eraseFiles(deps, coupleId, mayContinue));
    }
  });
}

type PendingErasure = Awaited<ReturnType<typeof pendingErasures>>[number];

/** Whether the database and the photo store belong together. If not, it logs what is left undone. */
async function hasItsOwnStore(deps: ErasureDeps, undone: string): Promise<boolean> {
  const reason = await findMismatch(deps);
  if (reason === null) return true;
  deps.log.error({ reason }, `${undone}: ${MISMATCHES[reason]}`);
  return false;
}

/**
 * Removes a couple's files. One that can't be removed doesn't keep the others.
 * @throws Error if files are left
 */
async function eraseFiles({ db, files }: ErasureDeps, coupleId: CoupleId, mayContinue: () => boolean): Promise<void> {
  // The space was restored from an export or a backup, so its files are needed.
  const isRestored = await hasCouple(db.read, coupleId);
  for (let isLeft = !isRestored; isLeft; ) {
    // Listed first: a folder that changes while it is listed may leave names out.
    const names = await Array.fromAsync(files.list(coupleId));
    const faults: unknown[] = [];
    for (let at = 0; at < names.length; at += BATCH) {
      if (!mayContinue()) return;
      const removals = await Promise.allSettled(names.slice(at, at + BATCH).map((name) => files.remove(name)));
      faults.push(...removals.flatMap((removal) => (removal.status === 'rejected' ? [removal.reason as unknown] : [])));
    }
    if (faults.length > 0) throw new Error(`${faults.length} files could not be removed`, { cause: faults[0] });
    isLeft = names.length > 0;
  }
  if (!mayContinue()) return;
  await db.write((tx) => deleteErasure(tx, coupleId));
}

/** Removes the files of deleted spaces in the background. */
export interface Eraser {
  /** Starts now. The next `sweepDeletions` finishes what this leaves. */
  wake(): void;
  /** Stops after the current batch. */
  stop(): Promise<void>;
}

export function openEraser(deps: ErasureDeps): Eraser {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  return {
    wake: () => {
      running = running
        .then(() => sweepErasures(deps, () => isStopped))
        .catch((error: unknown) =>
          deps.log.warn({ err: error }, 'files of a deleted space are left to the next sweep'),
        );
    },
    stop: () => {
      isStopped = true;
      return running;
    },
  };
}
