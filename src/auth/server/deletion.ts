import type { CoupleId } from '../../base/ids.ts';
import type { Deps } from '../../base/server/deps.ts';
import { closeErasure, deleteCouple, dueDeletions, openErasures, readDeletion } from './leaving-store.ts';
import { lockCouple } from './store.ts';

type Eraser = Pick<Deps, 'db' | 'files' | 'now' | 'log'>;

/**
 * Deletes the spaces whose thirty days of notice have run out: each is looked at again in the transaction that deletes
 * it, for the wish may have been taken back in this very moment. Then their files go, and those of a deletion that was
 * interrupted.
 */
export async function sweepDeletions(eraser: Eraser): Promise<void> {
  const { db, now, log } = eraser;
  for (const coupleId of await dueDeletions(db.read, now())) {
    await db.write(async (tx) => {
      await lockCouple(tx, coupleId);
      const wish = await readDeletion(tx, coupleId);
      if (wish === undefined || wish.dueAt > now()) return;
      await deleteCouple(tx, coupleId, now());
      log.warn({ coupleId }, 'a space was deleted, thirty days after it was asked for');
    });
  }
  for (const coupleId of await openErasures(db.read)) await eraseFiles(eraser, coupleId);
}

/** Removes all files of a couple whose rows are gone. Where the server dies meanwhile, the sweep goes on with it. */
export async function eraseFiles({ db, files }: Eraser, coupleId: CoupleId): Promise<void> {
  for await (const name of files.list(coupleId)) await files.remove(name);
  await db.write((tx) => closeErasure(tx, coupleId));
}
