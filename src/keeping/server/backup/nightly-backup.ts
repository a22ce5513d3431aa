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

/** What is remembered of the backups. An older version remembered the first two only. */
export interface BackupState {
  /** When the last one was made that was verified and found whole. */
  readonly verifiedAt: number | null;
  readonly hasFailed: boolean;
  /** When a backup was begun of which it is not known whether it was published. */
  readonly begunAt?: number | null;
  /** The stamp of the published backup that is still to be verified. */
  readonly toVerify?: string | null;
}

const LEASE_MS = 10 * MINUTE;
/** After a failure the disk may be put in again, or made room on. */
const RETRY_MS = HOUR;
const MAX_FAULTS_LOGGED = 20;
const NOTHING: BackupState = { verifiedAt: null, hasFailed: false };

/**
 * Backs up into `BACKUP_DIR` when a night has come, verifies the backup, and thins the folder. The day counts as done
 * once its backup is published: what goes wrong after that is told, and makes no second backup. A verification that
 * was broken off is made up for; one that failed is not repeated. Of several nodes one does it: the one with the lease.
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
    // A renewal that fails is tried again by the next; at worst a second node begins, and finds the folder locked.
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
    // Only with the lease is it certain what another node did meanwhile.
    const before = await readScheduledJob<BackupState>(this.#deps.db.read, 'backup');
    this.#doneAt = before.doneAt;
    this.#state = { ...NOTHING, ...before.state };
    const what = { made: false, doing: 'the backup failed; the one before is still there' };
    try {
      await this.#adoptPublished();
      if (isBackupDue(this.#doneAt, startedAt, new Date(startedAt).getHours())) {
        await this.#backUp();
        what.made = true;
      }
      what.doing = 'the backup could not be verified';
      await this.#verify();
      await this.#save({}, 0);
    } catch (error) {
      if (isStopped()) await this.#save({}, 0);
      else {
        log.error({ err: error }, what.doing);
        await this.#save({ hasFailed: true }, this.#deps.now() + RETRY_MS);
      }
    }
    return what.made;
  }

  /** Counts a backup that was published by a process that died before it could say so. */
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
      log.error({ backup: toVerify }, 'the backup to be verified is gone from the folder');
      return this.#save({ toVerify: null, hasFailed: true });
    }
    const verdict = await verify(root, toVerify, isStopped);
    const { faults } = verdict;
    for (const fault of faults.slice(0, MAX_FAULTS_LOGGED)) log.error({ fault }, 'the backup is not whole');
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
      // Whoever is at work in the folder thins it.
      if (error instanceof FolderBusy) return true;
      log.error({ err: error }, 'the earlier backups could not be thinned');
      return false;
    }
  }

  /** @param heldUntil when the lease ends; without it, it goes on */
  async #save(changes: Partial<BackupState>, heldUntil?: number): Promise<void> {
    this.#state = { ...this.#state, ...changes };
    const { owner } = this.#run;
    const row = { state: this.#state, owner, ...(this.#doneAt === null ? {} : { doneAt: this.#doneAt }) };
    const lease = heldUntil === undefined ? {} : { heldUntil };
    const isMine = await this.#deps.db.write((tx) => saveScheduledJob(tx, 'backup', { ...row, ...lease }));
    if (!isMine) throw new FolderBusy('Another node took over the backup meanwhile.');
  }
}
