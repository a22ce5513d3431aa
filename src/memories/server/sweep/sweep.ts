import { rm } from 'node:fs/promises';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import { attempt } from '../../../base/server/attempt.ts';
import { isClockTrusted } from '../../../base/server/clock-check.ts';
import { dueRows } from '../../../base/server/db/batches.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { type Lease, withLease } from '../../../base/server/lease.ts';
import {
  type Belonging,
  belongingOf,
  claimStore,
  countSweep,
  mismatchOf,
} from '../../../base/server/store-identity.ts';
import { DAY, HOUR } from '../../../base/time.ts';
import { STOP_REASONS, type StopReason, stopReasonOf, strayLimits } from '../../stray-rules.ts';
import { removeFiles } from '../file-removal.ts';
import { possibleFileNames } from '../names.ts';
import {
  knownFileNames,
  oldPendingFiles,
  type PendingFile,
  removePendingFile,
  takeOverPendingFile,
} from '../pending-file-store.ts';
import { eraseSilently, expiredBy } from '../trash.ts';
import { type ExpiredEntry, expiredEntries } from '../trash-store.ts';
import { ANY_AGE, removeDueStrays, scanStore } from './strays.ts';
import { clearRefusal, readScan, saveOwnScan, saveRefusal } from './sweep-state.ts';

/** Younger files are not touched, since they may belong to a running upload, here or on another node. */
const MIN_AGE_MS = DAY;
const EVERY_MS = HOUR;
/** The store is scanned once a day. While the sweep is stopped it is scanned every time, so that it resumes once fixed. */
const SCAN_EVERY_MS = DAY;
const WHAT_TO_DO = 'Nothing is deleted until `npm run sweep -- --confirm`; see docs/operating.md';

/** One step of a sweep. It stops early when `mayContinue` returns false. */
export type SweepStep = (deps: Deps, mayContinue: () => boolean) => Promise<void>;

/**
 * Sweeps at startup and every hour: removes what has been in the trash for thirty days, and the files that interrupted
 * uploads and deletions left. Failures are logged, and retried by the next sweep. Nothing is removed by a clock that has
 * jumped ahead (see `isClockTrusted`).
 */
export function startSweeps(deps: Deps, moreSteps: readonly SweepStep[]): { stop(): Promise<void> } {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = running.then(async () => {
      const mayDelete = await isClockTrusted(deps).catch((error: unknown) => {
        deps.log.error({ err: error }, 'the clock could not be checked, so nothing is swept');
        return false;
      });
      if (mayDelete) await sweep(deps, () => stopped, moreSteps);
    });
  };
  run();
  const timer = setInterval(run, EVERY_MS);
  timer.unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * Runs one sweep. Each node removes its own old temporary files and compares its store with the database. The node that
 * holds the lease does the rest, if the store belongs to the database and has no more strays than leftovers explain
 * (issue 11, point 1).
 * @param moreSteps steps of slices to the right
 */
export async function sweep(deps: Deps, isStopped: () => boolean, moreSteps: readonly SweepStep[] = []): Promise<void> {
  const { log } = deps;
  const part = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return isStopped() ? null : await work();
    } catch (error) {
      log.error({ err: error }, 'a sweep failed');
      return null;
    }
  };
  await part(() => sweepTemporaries(deps));
  const belonging = await part(() => compareStore(deps));
  if (belonging === null || mismatchOf(belonging) !== null) return;
  await part(() =>
    withLease(deps, 'sweep', async ({ isHeld, owner }) => {
      const mayContinue = () => isHeld() && !isStopped();
      if (!(await part(() => mayDelete(deps, belonging, { owner, mayContinue })))) return;
      for (const step of [emptyTrash, ...moreSteps, sweepPendingFiles, removeDueStrays]) {
        if (mayContinue()) await part(() => step(deps, mayContinue));
      }
    }),
  );
}

/** Compares this node's store with the database. A mismatch is logged and recorded. */
async function compareStore({ db, files, now, log }: Deps): Promise<Belonging> {
  const belonging = await belongingOf({ db, files });
  const mismatch = mismatchOf(belonging);
  if (mismatch === null) {
    await db.write((tx) => clearRefusal(tx, now(), { ofAnyNode: false }));
  } else {
    logStop(log, mismatch);
    await db.write((tx) => saveRefusal(tx, now(), mismatch));
  }
  return belonging;
}

/** Whether the sweep may delete. Scans the store if that is due, and claims a store that no database has claimed. */
async function mayDelete(
  deps: Deps,
  belonging: Belonging,
  { owner, mayContinue }: Pick<Lease, 'owner'> & { readonly mayContinue: () => boolean },
): Promise<boolean> {
  const { db, now, log } = deps;
  const last = await readScan(db.read);
  let { stopped } = last;
  const isNew = belonging === 'unclaimed';
  const isDue = last.scannedAt === null || Math.abs(now() - last.scannedAt) >= SCAN_EVERY_MS;
  if (isNew || stopped !== null || isDue) {
    // A store with files of unknown couples, however young, may belong to another database.
    const look = await scanStore(deps, isNew ? ANY_AGE : strayLimits.minAgeMs, mayContinue);
    if (look === null) return false;
    stopped = stopReasonOf(look);
    const state = { look, stopped };
    if (isNew && look.unknownCouples === 0) await claimStore(deps, now());
    // A node that was suspended since must not overwrite the scan of the next one.
    if (!(await db.write((tx) => saveOwnScan(tx, now(), state, owner)))) return false;
  }
  if (stopped !== null) {
    logStop(log, stopped);
    return false;
  }
  await countSweep(deps);
  return true;
}

function logStop(log: Deps['log'], reason: StopReason): void {
  log.error({ reason }, `the sweep is stopped: ${STOP_REASONS[reason]}. ${WHAT_TO_DO}`);
}

/** Permanently deletes what was deleted thirty days ago. Each transaction checks its entry again. */
export async function emptyTrash(deps: Deps, mayContinue: () => boolean = () => true): Promise<void> {
  const until = expiredBy(deps.now());
  for (const table of ['memories', 'dates'] as const) {
    const expired = dueRows<ExpiredEntry>((...page) => expiredEntries(deps.db.read, table, until, ...page));
    for await (const { coupleId, id } of expired) {
      if (!mayContinue()) return;
      await attempt(deps, coupleId, 'an entry of the trash was not deleted', () => eraseExpired(deps, coupleId, id));
    }
  }
}

async function eraseExpired(deps: Deps, coupleId: CoupleId, id: string): Promise<void> {
  try {
    await eraseSilently(deps, coupleId, id);
  } catch (error) {
    // Another node, or a partner, was faster.
    if (!(error instanceof Refusal && error.status === 404)) throw error;
  }
}

/** Removes temporary files of interrupted uploads. */
export async function sweepTemporaries({ files, now }: Deps): Promise<void> {
  for (const { path, writtenAt } of await files.leftovers()) {
    if (now() - writtenAt > MIN_AGE_MS) await rm(path, { force: true });
  }
}

/** Removes the pending files of uploads and deletions that were interrupted a day ago, unless a memory has them. */
export async function sweepPendingFiles(deps: Deps, mayContinue: () => boolean = () => true): Promise<void> {
  const { db } = deps;
  const before = deps.now() - MIN_AGE_MS;
  const old = dueRows<PendingFile>((...page) => oldPendingFiles(db.read, before, ...page));
  for await (const file of old) {
    if (!mayContinue()) return;
    await attempt(deps, file.coupleId, 'pending files were not removed', () => sweepPendingFile(deps, file));
  }
}

async function sweepPendingFile(deps: Deps, { coupleId, stem, createdAt }: PendingFile): Promise<void> {
  const { db } = deps;
  if (await hasRow(deps, coupleId, stem)) await db.write((tx) => removePendingFile(tx, coupleId, stem));
  // The upload may belong to a node that was paused for a day, and resumes right now.
  else if (await db.write((tx) => takeOverPendingFile(tx, coupleId, { stem, createdAt, now: deps.now() }))) {
    await removeFiles(deps, coupleId, stem);
  }
}

async function hasRow({ db }: Deps, coupleId: CoupleId, stem: string): Promise<boolean> {
  return (await knownFileNames(db.read, coupleId, possibleFileNames(stem))).size > 0;
}
