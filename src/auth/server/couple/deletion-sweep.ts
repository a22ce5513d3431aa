import type { CoupleId } from '../../../base/ids.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { withLease } from '../../../base/server/lease.ts';
import { belongingOf } from '../../../base/server/store-identity.ts';
import { lockCouple } from '../store.ts';
import { closeErasure, deleteCouple, dueDeletions, isCouple, openErasures, readDeletion } from './deletion-store.ts';

type ErasingDeps = Pick<Deps, 'db' | 'files' | 'now' | 'log'>;

/** So many files are removed at once. Before each batch it is asked whether this node may go on. */
const BATCH = 100;

/**
 * Deletes the spaces whose thirty days of notice have run out: each is looked at again in the transaction that deletes
 * it, for the wish may have been taken back in this very moment. Then it removes the files of deleted spaces.
 */
export async function sweepDeletions(deps: ErasingDeps, isStopped: () => boolean): Promise<void> {
  const { db, now, log } = deps;
  for (const coupleId of await dueDeletions(db.read, now())) {
    const wish = await db.write(async (tx) => {
      await lockCouple(tx, coupleId);
      const found = await readDeletion(tx, coupleId);
      if (found === undefined || found.dueAt > now()) return null;
      await deleteCouple(tx, coupleId, now());
      return found;
    });
    if (wish !== null) log.info({ event: 'space deleted after its notice', user: wish.askedBy }, 'security event');
  }
  await sweepErasures(deps, isStopped);
}

/**
 * Removes the files of the couples whose rows are gone, on one node at a time. A couple stays in `erasures` until the
 * store has none of its files, so that a node that dies leaves the rest to the next sweep.
 */
async function sweepErasures(deps: ErasingDeps, isStopped: () => boolean): Promise<void> {
  const { db, log } = deps;
  if ((await openErasures(db.read)).length === 0) return;
  const belonging = await belongingOf(deps);
  if (belonging !== 'same' && belonging !== 'unclaimed') {
    log.error({ reason: belonging }, 'the files of a deleted space are kept: this is not the store they are in');
    return;
  }
  await withLease(deps, 'erasures', async (isHeld) => {
    const goOn = () => isHeld() && !isStopped();
    // A space that is deleted meanwhile is found by asking again.
    for (let [coupleId] = await openErasures(db.read); coupleId !== undefined && goOn(); ) {
      await eraseFiles(deps, coupleId, goOn);
      [coupleId] = await openErasures(db.read);
    }
  });
}

async function eraseFiles({ db, files }: ErasingDeps, coupleId: CoupleId, goOn: () => boolean): Promise<void> {
  // It was brought back from an export or a backup: its files are needed again.
  const isBack = await isCouple(db.read, coupleId);
  for (;;) {
    const names = isBack ? [] : await firstOf(files.list(coupleId), BATCH);
    if (!goOn()) return;
    if (names.length === 0) break;
    await Promise.all(names.map((name) => files.remove(name)));
  }
  await db.write((tx) => closeErasure(tx, coupleId));
}

async function firstOf(names: AsyncIterable<string>, count: number): Promise<string[]> {
  const first: string[] = [];
  for await (const name of names) {
    first.push(name);
    if (first.length === count) break;
  }
  return first;
}

/** Removes the files of deleted spaces in the background, so that nobody waits for it. */
export interface Eraser {
  /** Begins now. What it can not do, the next `sweepDeletions` does. */
  wake(): void;
  /** Ends after the batch that is being removed. */
  stop(): Promise<void>;
}

export function openEraser(deps: ErasingDeps): Eraser {
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
