import { rm } from 'node:fs/promises';
import { DAY, HOUR } from '../../../base/durations.ts';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import { readRowByRow } from '../../../base/server/db/read-in-batches.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { CONSEQUENCE, countSweep, findMismatch, MISMATCHES } from '../../../base/server/files/store-identity.ts';
import { attemptForCouple } from '../../../base/server/jobs/attempt-for-couple.ts';
import { isClockTrusted } from '../../../base/server/jobs/is-clock-trusted.ts';
import { saveScheduledJob } from '../../../base/server/jobs/job-store.ts';
import { withLease } from '../../../base/server/jobs/lease.ts';
import { type Rounds, startRounds } from '../../../base/server/jobs/rounds.ts';
import { removeFiles } from '../file-remover.ts';
import {
  knownFileNames,
  oldPendingFiles,
  type PendingFile,
  removePendingFile,
  takeOverPendingFile,
} from '../pending-file-store.ts';
import { possibleFileNames, stemOf } from '../stored-names.ts';
import { eraseSilently, expiredBy } from '../trash.ts';
import { type ExpiredEntry, expiredEntries } from '../trash-store.ts';
import { fillMissingHappenedAt } from '../update-happened-at.ts';

/** Younger files are not touched, since they may belong to a running upload, here or on another node. */
const MIN_AGE_MS = DAY;
const EVERY_MS = HOUR;

/** One step of a sweep. It stops early when `mayContinue` returns false. */
export type SweepStep = (deps: Deps, mayContinue: () => boolean) => Promise<void>;

/**
 * Sweeps at startup and every hour: removes what has been in the trash for thirty days, and the files that interrupted
 * uploads and deletions left. Failures are logged, and retried by the next sweep. Nothing is removed by a clock that has
 * jumped ahead (see `isClockTrusted`).
 */
export function startSweeps(deps: Deps, moreSteps: readonly SweepStep[]): Rounds {
  return startRounds(EVERY_MS, async (isStopped) => {
    const mayDelete = await isClockTrusted(deps).catch((error: unknown) => {
      deps.log.error({ err: error }, 'the clock could not be checked, so nothing is swept');
      return false;
    });
    if (mayDelete) await sweep(deps, isStopped, moreSteps);
  });
}

/**
 * Runs one sweep. Each node removes its own old temporary files and compares its store with the database. If they belong
 * together, the node that holds the lease does the rest: it deletes what a row names, and nothing else.
 * @param moreSteps steps of slices to the right
 */
export async function sweep(deps: Deps, isStopped: () => boolean, moreSteps: readonly SweepStep[] = []): Promise<void> {
  const part = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      if (!isStopped()) await work();
    } catch (error) {
      deps.log.error({ err: error }, 'a sweep failed');
    }
  };
  await part(() => sweepTemporaries(deps));
  await part(async () => {
    const mismatch = await findMismatch(deps);
    if (mismatch !== null) {
      deps.log.error({ reason: mismatch }, `${MISMATCHES[mismatch]} ${CONSEQUENCE} See docs/operating.md.`);
      return;
    }
    await withLease(deps, 'sweep', async ({ isHeld, owner }) => {
      const mayContinue = () => isHeld() && !isStopped();
      await countSweep(deps);
      for (const step of [fillMissingHappenedAt, emptyTrash, ...moreSteps, sweepPendingFiles]) {
        if (mayContinue()) await part(() => step(deps, mayContinue));
      }
      await deps.db.write((tx) => saveScheduledJob(tx, 'sweep', { doneAt: deps.now(), owner }));
    });
  });
}

/** Permanently deletes what was deleted thirty days ago. Each transaction checks its entry again. */
export async function emptyTrash(deps: Deps, mayContinue: () => boolean = () => true): Promise<void> {
  const until = expiredBy(deps.now());
  for (const table of ['memories', 'dates'] as const) {
    const expired = readRowByRow<ExpiredEntry>((...page) => expiredEntries(deps.db.read, table, until, ...page));
    for await (const { coupleId, id } of expired) {
      if (!mayContinue()) return;
      await attemptForCouple(deps, coupleId, 'an entry of the trash was not deleted', () =>
        eraseExpired(deps, coupleId, id),
      );
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
  const old = readRowByRow<PendingFile>((...page) => oldPendingFiles(db.read, before, ...page));
  for await (const file of old) {
    if (!mayContinue()) return;
    await attemptForCouple(deps, file.coupleId, 'pending files were not removed', () => sweepPendingFile(deps, file));
  }
}

async function sweepPendingFile(deps: Deps, { coupleId, name, createdAt }: PendingFile): Promise<void> {
  const { db } = deps;
  if (await hasRow(deps, coupleId, stemOf(name))) await db.write((tx) => removePendingFile(tx, coupleId, name));
  // The upload may belong to a node that was paused for a day, and resumes right now.
  else if (await db.write((tx) => takeOverPendingFile(tx, coupleId, { name, createdAt, now: deps.now() }))) {
    await removeFiles(deps, coupleId, name);
  }
}

async function hasRow({ db }: Deps, coupleId: CoupleId, stem: string): Promise<boolean> {
  return (await knownFileNames(db.read, coupleId, possibleFileNames(stem))).size > 0;
}
