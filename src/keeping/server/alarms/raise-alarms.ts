import { DAY, HOUR } from '../../../base/durations.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { readDiskSpace } from '../../../base/server/files/disk-space.ts';
import { readScheduledJob, saveScheduledJob } from '../../../base/server/jobs/job-store.ts';
import { withLease } from '../../../base/server/jobs/lease.ts';
import { insertMail } from '../../../base/server/mail/mail-queue.ts';
import type { BackupState } from '../backup/nightly-backup.ts';
import type { AlarmKind } from './alarm-mails.ts';

/** How old the newest verified backup may become. */
const UNVERIFIED_MS = 2 * DAY;
/** For how long it has to be found too old: a computer that was off or asleep makes the next one at once. */
const GRACE_MS = HOUR;
/** Which part of a disk has to be free. */
const FREE_PART = 0.05;

/** Something that the operator has to look after, and the disks that it is about. */
interface Alarm {
  readonly kind: AlarmKind;
  readonly about: string | null;
}

/** The stored state of the job. Times are in milliseconds. */
interface AlarmState {
  /** Since when backups are watched: before the first one nothing is late. */
  readonly since: number;
  readonly toldAt: { readonly [K in AlarmKind]?: number };
  /** Since when the newest verified backup is found too old; null if it is not. */
  readonly lateSince: number | null;
}

/**
 * Queues a mail to the operator for what is amiss on this node: once a day at most for each kind, whichever node finds it
 * (mail.alarms.1).
 */
export async function raiseAlarms(deps: Deps): Promise<void> {
  const { db, config, now } = deps;
  const { operatorEmail, mail } = config;
  if (operatorEmail === null || mail === null) return;
  await withLease(deps, 'alarms', async ({ owner }) => {
    const at = now();
    const stored = (await readScheduledJob<AlarmState>(db.read, 'alarms')).state;
    const { since, toldAt, lateSince: before } = stored ?? { since: at, toldAt: {}, lateSince: null };
    const found = await findAlarms(deps, since);
    const isLate = found.some(({ kind }) => kind === 'backupUnverified');
    // A node without BACKUP_DIR knows nothing of backups.
    const lateSince = config.backupDir === null ? before : isLate ? (before ?? at) : null;
    const due = found.filter(({ kind }) => {
      if (kind === 'backupUnverified' && at - (lateSince ?? at) < GRACE_MS) return false;
      const last = toldAt[kind];
      // One in the future was stored while the clock was wrong.
      return last === undefined || Math.abs(at - last) >= DAY;
    });
    if (due.length === 0 && stored !== null && lateSince === before) return;
    const told = Object.fromEntries(due.map(({ kind }) => [kind, at]));
    const state: AlarmState = { since, toldAt: { ...toldAt, ...told }, lateSince };
    await db.write(async (tx) => {
      for (const alarm of due) await insertMail(tx, { ...alarm, address: operatorEmail, user: null }, at);
      if (!(await saveScheduledJob(tx, 'alarms', { state, owner, doneAt: at }))) throw new Error('the lease has ended');
    });
  });
}

async function findAlarms({ db, config, now }: Deps, since: number): Promise<readonly Alarm[]> {
  const alarms: Alarm[] = [];
  if (config.backupDir !== null) {
    const { state } = await readScheduledJob<BackupState>(db.read, 'backup');
    if (state?.hasFailed) alarms.push({ kind: 'backupFailed', about: null });
    if (now() - Math.max(state?.verifiedAt ?? 0, since) > UNVERIFIED_MS)
      alarms.push({ kind: 'backupUnverified', about: null });
  }
  const spaces = await readDiskSpace(config);
  const full = spaces.filter(({ freeBytes, sizeBytes }) => freeBytes < sizeBytes * FREE_PART);
  if (full.length > 0) alarms.push({ kind: 'diskFull', about: full.map(({ place }) => place).join(', ') });
  return alarms;
}
