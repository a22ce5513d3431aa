import { rm } from 'node:fs/promises';
import type { CoupleId } from '../../base/ids.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Deps } from '../../base/server/deps.ts';
import { DAY, HOUR } from '../../base/time.ts';
import { trashedDates } from '../../dates/server/store.ts';
import { memoryLimits } from '../rules.ts';
import { allCouples, closeIntent, knownFileNames, listIntents } from './intent-store.ts';
import { allStoredNames, isPieceName, partsOf, possibleFileNames } from './names.ts';
import { dropPieces } from './pieces.ts';
import { erase, expiredBy, removeFiles } from './trash.ts';
import { expiredMemories } from './trash-store.ts';
import { deleteUpload, isPiece, uploadsBegunBefore } from './upload-store.ts';

/** Nothing younger is touched: it may belong to an upload under way, here or on another node. */
const SPARED_MS = DAY;
/**
 * A file which neither a row nor an intent knows is not left by a crash of ours; most likely the database was put back
 * from an older backup. It gets the thirty days that everything deleted gets.
 */
const STRAY_MS = 30 * DAY;
const EVERY_MS = HOUR;
const BATCH = 500;

/**
 * Sweeps at start and every hour: what has lain in the trash for thirty days, and the files that an interrupted upload
 * or deletion left (issue: the sweep leaves no file without a row). What fails is logged, and tried again.
 */
export function startSweeps(deps: Deps): { stop(): Promise<void> } {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const run = (parts: readonly ((deps: Deps) => Promise<void>)[]) => {
    running = running.then(async () => {
      for (const part of parts) {
        if (stopped) return;
        await part(deps).catch((error: unknown) => deps.log.error({ err: error }, 'a sweep failed'));
      }
    });
  };
  run([emptyTrash, sweepTemporaries, sweepUploads, sweepIntents, sweepStrays]);
  const timer = setInterval(() => run([emptyTrash, sweepTemporaries, sweepUploads, sweepIntents]), EVERY_MS);
  timer.unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Deletes for good what was deleted thirty days ago. Each is looked at again in the transaction that deletes it. */
export async function emptyTrash(deps: Deps): Promise<void> {
  const until = expiredBy(deps.now());
  for (const coupleId of await allCouples(deps.db.read)) {
    const dates = await trashedDates(deps.db.read, coupleId);
    const expired = [
      ...(await expiredMemories(deps.db.read, coupleId, until)),
      ...dates.filter((date) => date.deletedAt <= until).map((date) => date.id),
    ];
    for (const id of expired) await eraseExpired(deps, coupleId, id);
  }
}

async function eraseExpired(deps: Deps, coupleId: CoupleId, id: string): Promise<void> {
  try {
    await erase(deps, coupleId, id);
  } catch (error) {
    // Another node, or a partner, was quicker.
    if (!(error instanceof Refusal && error.status === 404)) throw error;
  }
}

/** Removes temporary files of uploads that died. */
export async function sweepTemporaries({ files, now }: Deps): Promise<void> {
  for (const { path, writtenAt } of await files.leftovers()) {
    if (now() - writtenAt > SPARED_MS) await rm(path, { force: true });
  }
}

/** Forgets uploads in pieces that were begun too long ago, finished or not, and removes what is left of their pieces. */
export async function sweepUploads(deps: Deps): Promise<void> {
  const now = deps.now();
  for (const coupleId of await allCouples(deps.db.read)) {
    for (const { id } of await uploadsBegunBefore(deps.db.read, coupleId, now - memoryLimits.unfinishedMs, now)) {
      await dropPieces(deps, coupleId, id);
      await deps.db.write((tx) => deleteUpload(tx, coupleId, id));
    }
  }
}

/** Ends the intents of uploads and deletions that died, and removes their files where no row has them. */
export async function sweepIntents(deps: Deps): Promise<void> {
  for (const coupleId of await allCouples(deps.db.read)) {
    for (const { stem, createdAt } of await listIntents(deps.db.read, coupleId)) {
      const isOld = deps.now() - createdAt > SPARED_MS;
      if (await hasRow(deps, coupleId, stem)) {
        if (isOld) await deps.db.write((tx) => closeIntent(tx, coupleId, stem));
      } else if (isOld) await removeFiles(deps, coupleId, stem);
      else await removeOld(deps, coupleId, stem, SPARED_MS);
    }
  }
}

/** Looks through the whole photo store for files that nothing knows of. */
export async function sweepStrays(deps: Deps): Promise<void> {
  let batch: string[] = [];
  for await (const name of deps.files.list()) {
    batch.push(name);
    if (batch.length === BATCH) {
      await sweepBatch(deps, batch);
      batch = [];
    }
  }
  await sweepBatch(deps, batch);
}

async function sweepBatch(deps: Deps, names: readonly string[]): Promise<void> {
  const stems = new Map<string, ReturnType<typeof partsOf>>();
  for (const name of names) {
    const parts = partsOf(name);
    if (isPieceName(name)) {
      if (!(await isPiece(deps.db.read, parts.coupleId, parts.stem))) await removeIfOld(deps, name, STRAY_MS);
      continue;
    }
    stems.set(`${parts.coupleId}/${parts.stem}`, parts);
  }
  for (const { coupleId, stem } of stems.values()) {
    if (!(await hasRow(deps, coupleId, stem))) await removeOld(deps, coupleId, stem, STRAY_MS);
  }
}

/** Removes a stem's files that are older than an age, if they still have no row then. */
async function removeOld(deps: Deps, coupleId: CoupleId, stem: string, age: number): Promise<void> {
  for (const name of allStoredNames(coupleId, stem)) {
    await removeIfOld(deps, name, age, () => hasRow(deps, coupleId, stem));
  }
}

async function removeIfOld(deps: Deps, name: string, age: number, isNeeded?: () => Promise<boolean>): Promise<void> {
  const storedAt = await deps.files.storedAt(name);
  if (storedAt === null || deps.now() - storedAt <= age || (await isNeeded?.())) return;
  deps.log.warn({ name }, 'a file that belongs to no memory is removed');
  await deps.files.remove(name);
}

async function hasRow({ db }: Deps, coupleId: CoupleId, stem: string): Promise<boolean> {
  return (await knownFileNames(db.read, coupleId, possibleFileNames(stem))).size > 0;
}
