import { DAY, HOUR, MINUTE } from '../../../base/durations.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import { latestMigration } from '../../../base/server/db/migrations/index.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { readScheduledJob, type ScheduledJob, saveScheduledJob } from '../../../base/server/jobs/job-store.ts';
import { type Lease, withLease } from '../../../base/server/jobs/lease.ts';
import { isNightlyJobDue } from '../../rules.ts';
import { backUp } from './backup.ts';
import { BackupError, FolderBusy } from './backup-error.ts';
import { BackupFolder, stampOf } from './backup-folder.ts';
import { thinOwnBackups } from './thin-backups.ts';
import { recordVerification, verifyBackup } from './verify-backup.ts';

/** The stored state of the job. Older versions stored only some of the fields. */
export interface BackupState {
  /** When the newest backup that passed verification was made. */
  readonly verifiedAt: number | null;
  readonly hasFailed: boolean;
  /** Stamp of the published backup that still has to be verified. */
  readonly toVerify?: string | null;
  /** When the last run failed. */
  readonly failedAt?: number | null;
  /** The folder of the newest backup. */
  readonly folder?: string | null;
}

/** Longer than usual: a node that sleeps for a few minutes continues its backup. */
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
  const root = config.backupDir;
  if (root === null) return false;
  const startedAt = now();
  const run = async ({ owner }: Lease) => {
    // Read again with the lease held, because another node may have changed it.
    const job = await readScheduledJob<BackupState>(db.read, 'backup');
    return hasWork(job, startedAt) && new NightlyBackup(deps, { root, owner, startedAt, isStopped }, job).run();
  };
  if (!hasWork(await readScheduledJob<BackupState>(db.read, 'backup'), startedAt)) return false;
  return (await withLease(deps, 'backup', run, LEASE_MS))?.result ?? false;
}

/** How long after its last try a node with `BACKUP_DIR` is taken to make the next backup. */
const SILENCE_LIMIT_MS = 2 * DAY;

/** Whether any node makes backups: it tries each night, and each hour after a failure. */
export async function isBackupOn(reader: Reader, now: number): Promise<boolean> {
  const { doneAt, state } = await readScheduledJob<BackupState>(reader, 'backup');
  return now - Math.max(doneAt ?? 0, state?.failedAt ?? 0) < SILENCE_LIMIT_MS;
}

function hasWork({ doneAt, state }: ScheduledJob<BackupState>, now: number): boolean {
  const failedAt = state?.failedAt ?? null;
  // A failure in the distant future was recorded while the clock was wrong.
  if (failedAt !== null && Math.abs(now - failedAt) < RETRY_MS) return false;
  return isDue(doneAt, now) || typeof state?.toVerify === 'string';
}

function isDue(doneAt: number | null, now: number): boolean {
  return isNightlyJobDue(doneAt, now, new Date(now).getHours());
}

interface Run {
  readonly root: string;
  /** The claim owner of its lease. */
  readonly owner: string;
  readonly startedAt: number;
  readonly isStopped: () => boolean;
}

/** One run of the job, by the node that has its lease. */
class NightlyBackup {
  readonly #deps: Deps;
  readonly #run: Run;
  #doneAt: number | null;
  #state: BackupState;

  constructor(deps: Deps, run: Run, { doneAt, state }: ScheduledJob<BackupState>) {
    this.#deps = deps;
    this.#run = run;
    this.#doneAt = doneAt;
    this.#state = { ...NOTHING, ...state };
  }

  async run(): Promise<boolean> {
    const { log, now } = this.#deps;
    const { startedAt, isStopped } = this.#run;
    let isMade = false;
    let failure = 'the backup failed; the previous one is kept';
    try {
      if (isDue(this.#doneAt, startedAt)) {
        await this.#backUp();
        isMade = true;
      }
      failure = 'the backup could not be verified';
      await this.#verify();
    } catch (error) {
      if (isStopped()) return isMade;
      log.error({ err: error }, failure);
      await this.#save({ hasFailed: true, failedAt: now() });
    }
    return isMade;
  }

  async #backUp(): Promise<void> {
    const { db, files, now, log } = this.#deps;
    const { root, startedAt, isStopped } = this.#run;
    await this.#assertMounted();
    const source = { db, files, migration: latestMigration, now, isStopped };
    const { manifest, copied, changed } = await backUp(source, root);
    await this.#markPublished(manifest.createdAt, startedAt);
    const damaged = manifest.damaged.length;
    log.info({ photographs: manifest.photographs.rows, copied, damaged }, 'backed up');
    if (damaged > 0)
      log.error({ damaged, changed: changed.size }, 'photographs are lost or damaged; the backup has the changed ones');
  }

  /**
   * Where a disk isn't mounted, there is an empty folder, mostly on the disk of the photographs. A backup in it would be
   * lost together with them.
   * @throws BackupError if the folder had backups and has none
   */
  async #assertMounted(): Promise<void> {
    const { root } = this.#run;
    if (this.#state.folder !== root) return;
    const { found, unreadable } = await new BackupFolder(root).backups();
    if (found.length + unreadable.length > 0) return;
    throw new BackupError(
      `The backups are gone from ${root}. Is its disk mounted? To start again there, run \`npm run backup -- ${root}\` once.`,
    );
  }

  async #markPublished(createdAt: string, doneAt: number): Promise<void> {
    this.#doneAt = doneAt;
    await this.#save({ toVerify: stampOf(createdAt), folder: this.#run.root });
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
    const verdict = await verifyBackup(root, toVerify, isStopped);
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
      const { reason, ofOthers } = await thinOwnBackups(this.#deps, this.#run.root);
      if (ofOthers > 0)
        log.warn({ backups: ofOthers }, 'the backup folder has backups of another database; they are kept');
      if (reason !== null) log.error({ reason }, 'the earlier backups could not be thinned');
      return reason === null;
    } catch (error) {
      // The process that is using the folder thins it.
      if (error instanceof FolderBusy) return true;
      log.error({ err: error }, 'the earlier backups could not be thinned');
      return false;
    }
  }

  async #save(changes: Partial<BackupState>): Promise<void> {
    this.#state = { ...this.#state, ...changes };
    const row = {
      state: this.#state,
      owner: this.#run.owner,
      ...(this.#doneAt === null ? {} : { doneAt: this.#doneAt }),
    };
    const isMine = await this.#deps.db.write((tx) => saveScheduledJob(tx, 'backup', row));
    if (!isMine) throw new FolderBusy('Another node took over the backup.');
  }
}
