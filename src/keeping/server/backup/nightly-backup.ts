import { latestMigration } from '../../../base/server/db/migrations/index.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { readScheduledJob, type ScheduledJob, saveScheduledJob, takeJobLease } from '../../../base/server/job-store.ts';
import { HOUR, MINUTE } from '../../../base/time.ts';
import { isBackupDue } from '../../rules.ts';
import { backUp } from './backup.ts';
import { FolderBusy } from './backup-error.ts';
import { BackupFolder, stampOf } from './backup-folder.ts';
import { thinBackups } from './thin-backups.ts';
import { recordVerification, verify } from './verify.ts';

/** The stored state of the job. Older versions stored only the first two fields. */
export interface BackupState {
  /** When the newest backup that passed verification was made. */
  readonly verifiedAt: number | null;
  readonly hasFailed: boolean;
  /** Start of a backup that may or may not have been published. */
  readonly begunAt?: number | null;
  /** Stamp of the published backup that still has to be verified. */
  readonly toVerify?: string | null;
}

const LEASE_MS = 10 * MINUTE;
/** Delay after a failure, in which the operator may reconnect the disk or free space. */
const RETRY_MS = HOUR;
const MAX_FAULTS_LOGGED = 20;
const NOTHING: BackupState = { verifiedAt: null, hasFailed: false };

/**
 * Backs up into `BACKUP_DIR` every night, verifies the backup, and thins the folder. The day is done once its backup is
 * published: later failures are reported and don't cause a second backup. An interrupted verification is resumed; a
 * failed one isn't repeated. A lease makes sure that only one node does this.
 * @returns whether a backup was made
 */
export async function backUpNightly(deps: Deps, isStopped: () => boolean): Promise<boolean> {
  const { db, config, now } = deps;
  if (config.backupDir === null) return false;
  const startedAt = now();
  if (!hasWork(await readScheduledJob<BackupState>(db.read, 'backup'), startedAt)) return false;
  const owner = await db.write((tx) => takeJobLease(tx, 'backup', startedAt, startedAt + LEASE_MS));
  if (owner === null) return false;
  const renewal = setInterval(() => {
    // The next renewal retries. At worst a second node starts, and finds the folder locked.
    db.write((tx) => saveScheduledJob(tx, 'backup', { heldUntil: now() + LEASE_MS, owner })).catch(() => undefined);
  }, MINUTE);
  renewal.unref();
  try {
    return await new NightlyBackup(deps, { root: config.backupDir, owner, startedAt, isStopped }).run();
  } finally {
    clearInterval(renewal);
  }
}

function hasWork({ doneAt, state }: ScheduledJob<BackupState>, now: number): boolean {
  return isBackupDue(doneAt, now, new Date(now).getHours()) || typeof state?.toVerify === 'string';
}

/** One turn of the chore, by the node that has its lease. */
class NightlyBackup {
  readonly #deps: Deps;
  readonly #run: { root: string; owner: string; startedAt: number; isStopped: () => boolean };
  #doneAt: number | null = null;
  #state: BackupState = NOTHING;

  constructor(deps: Deps, turn: { root: string; owner: string; startedAt: number; isStopped: () => boolean }) {
    this.#deps = deps;
    this.#run = turn;
  }

  async run(): Promise<boolean> {
    const { log } = this.#deps;
    const { startedAt, isStopped } = this.#run;
    // Read again with the lease held, because another node may have changed it.
    const before = await readScheduledJob<BackupState>(this.#deps.db.read, 'backup');
    this.#doneAt = before.doneAt;
    this.#state = { ...NOTHING, ...before.state };
    const outcome = { made: false, failure: 'the backup failed; the previous one is kept' };
    try {
      await this.#adoptPublished();
      if (isBackupDue(this.#doneAt, startedAt, new Date(startedAt).getHours())) {
        await this.#backUp();
        outcome.made = true;
      }
      outcome.failure = 'the backup could not be verified';
      await this.#verify();
      await this.#save({}, 0);
    } catch (error) {
      if (isStopped()) await this.#save({}, 0);
      else {
        log.error({ err: error }, outcome.failure);
        await this.#save({ hasFailed: true }, this.#deps.now() + RETRY_MS);
      }
    }
    return outcome.made;
  }

  /** Records a backup whose process died between publishing and saving the state. */
  async #adoptPublished(): Promise<void> {
    const { begunAt } = this.#state;
    if (typeof begunAt !== 'number') return;
    const newest = await new BackupFolder(this.#run.root).manifest().catch(() => null);
    const createdAt = newest === null ? Number.NEGATIVE_INFINITY : Date.parse(newest.createdAt);
    if (newest !== null && createdAt >= begunAt) await this.#markPublished(newest.createdAt, begunAt);
  }

  async #backUp(): Promise<void> {
    const { db, files, now, log } = this.#deps;
    const { root, startedAt, isStopped } = this.#run;
    await this.#save({ begunAt: startedAt });
    const source = { db, files, migration: latestMigration, now, isStopped };
    const { manifest, copied } = await backUp(source, root);
    await this.#markPublished(manifest.createdAt, startedAt);
    log.info({ photographs: manifest.photographs.rows, copied, damaged: manifest.damaged.length }, 'backed up');
  }

  async #markPublished(createdAt: string, doneAt: number): Promise<void> {
    this.#doneAt = doneAt;
    await this.#save({ begunAt: null, toVerify: stampOf(createdAt) });
  }

  async #verify(): Promise<void> {
    const { log, now } = this.#deps;
    const { root, isStopped } = this.#run;
    const { toVerify } = this.#state;
    if (typeof toVerify !== 'string') return;
    if ((await new BackupFolder(root).manifest(toVerify)) === null) {
      log.error({ backup: toVerify }, 'the backup to verify is gone from the folder');
      return this.#save({ toVerify: null, hasFailed: true });
    }
    const verdict = await verify(root, toVerify, isStopped);
    const { faults } = verdict;
    for (const fault of faults.slice(0, MAX_FAULTS_LOGGED)) log.error({ fault }, 'the backup is damaged');
    await recordVerification(root, verdict, now());
    if (faults.length > 0) {
      log.error({ backup: toVerify, faults: faults.length }, 'the verification failed; no backup is removed');
      return this.#save({ toVerify: null, hasFailed: true });
    }
    const isThinned = await this.#thin();
    await this.#save({ toVerify: null, hasFailed: !isThinned, verifiedAt: this.#doneAt });
    log.info({ backup: toVerify }, 'the backup is verified');
  }

  async #thin(): Promise<boolean> {
    const { log } = this.#deps;
    try {
      const reason = await thinBackups(this.#run.root);
      if (reason !== null) log.error({ reason }, 'the earlier backups could not be thinned');
      return reason === null;
    } catch (error) {
      // The process that is using the folder thins it.
      if (error instanceof FolderBusy) return true;
      log.error({ err: error }, 'the earlier backups could not be thinned');
      return false;
    }
  }

  /** @param heldUntil new end of the lease; unchanged if omitted */
  async #save(changes: Partial<BackupState>, heldUntil?: number): Promise<void> {
    this.#state = { ...this.#state, ...changes };
    const { owner } = this.#run;
    const row = { state: this.#state, owner, ...(this.#doneAt === null ? {} : { doneAt: this.#doneAt }) };
    const lease = heldUntil === undefined ? {} : { heldUntil };
    const isMine = await this.#deps.db.write((tx) => saveScheduledJob(tx, 'backup', { ...row, ...lease }));
    if (!isMine) throw new FolderBusy('Another node took over the backup.');
  }
}
