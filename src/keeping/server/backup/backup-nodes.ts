import type { Reader } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { readScheduledJob, recordScheduledJob } from '../../../base/server/job-store.ts';
import { HOUR } from '../../../base/time.ts';

/** A node with `BACKUP_DIR` reports it every ten minutes. After an hour of silence it counts as off. */
const SILENCE_LIMIT_MS = HOUR;

/** Records in the database that this node has `BACKUP_DIR`, so that other nodes know that backups are made. */
export async function noteBackupFolder({ db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>): Promise<void> {
  if (config.backupDir !== null) await db.write((tx) => recordScheduledJob(tx, 'backupFolder', { doneAt: now() }));
}

/** Whether any node makes backups. A node that holds the backup lease counts, since it may be too busy to report. */
export async function isBackupOn(reader: Reader, now: number): Promise<boolean> {
  const { doneAt } = await readScheduledJob(reader, 'backupFolder');
  if (doneAt === null) return false;
  return now - doneAt < SILENCE_LIMIT_MS || (await isHeld(reader, now));
}

async function isHeld(reader: Reader, now: number): Promise<boolean> {
  const row = await reader
    .selectFrom('scheduledJobs')
    .select('heldUntil')
    .where('name', '=', 'backup')
    .executeTakeFirst();
  return (row?.heldUntil ?? 0) > now;
}
