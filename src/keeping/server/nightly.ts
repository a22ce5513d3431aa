import { lastOfMigrations } from '../../base/server/db/migrations.ts';
import type { Deps } from '../../base/server/deps.ts';
import { HOUR, MINUTE } from '../../base/time.ts';
import { isBackupDue } from '../rules.ts';
import { backUp } from './backup.ts';
import { readChore, saveChore, takeChore } from './chore-store.ts';
import { verify } from './verify.ts';

/** What is remembered of the backups. */
export interface BackupState {
  /** When the last one was made that was looked through and found whole. */
  readonly verifiedAt: number | null;
  readonly hasFailed: boolean;
}

const HOLD_MS = 10 * MINUTE;
/** After a failure the disk may be put in again, or made room on. */
const AGAIN_MS = HOUR;

/**
 * Backs up into `BACKUP_DIR` when a night has come, and looks the backup through. Of several nodes one does it: the
 * row of the chore is held, and held on to while it takes.
 * @returns whether a backup was made
 */
export async function backUpNightly(deps: Deps, isStopped: () => boolean): Promise<boolean> {
  const { db, files, config, now, log } = deps;
  if (config.backupDir === null) return false;
  const before = await readChore<BackupState>(db.read, 'backup');
  const startedAt = now();
  if (!isBackupDue(before.doneAt, startedAt, new Date(startedAt).getHours())) return false;
  if (!(await db.write((tx) => takeChore(tx, 'backup', startedAt, startedAt + HOLD_MS)))) return false;
  const hold = setInterval(() => {
    // A renewal that fails is tried again by the next; at worst a second node begins, and finds the folder in hand.
    db.write((tx) => saveChore(tx, 'backup', { heldUntil: now() + HOLD_MS })).catch(() => undefined);
  }, MINUTE);
  hold.unref();
  const verifiedBefore = before.state?.verifiedAt ?? null;
  try {
    const source = { db, files, migration: lastOfMigrations, now, isStopped };
    const { manifest, copied } = await backUp(source, config.backupDir);
    const { faults } = await verify(config.backupDir);
    for (const fault of faults) log.error({ fault }, 'the backup is not whole');
    const { rows } = manifest.photographs;
    log.info({ photographs: rows, copied, damaged: manifest.damaged.length, faults: faults.length }, 'backed up');
    const isWhole = faults.length === 0;
    const state = { verifiedAt: isWhole ? startedAt : verifiedBefore, hasFailed: !isWhole } satisfies BackupState;
    await db.write((tx) => saveChore(tx, 'backup', { doneAt: startedAt, state, heldUntil: 0 }));
    return true;
  } catch (error) {
    log.error({ err: error }, 'the backup failed; the one before is still there');
    const state = { verifiedAt: verifiedBefore, hasFailed: !isStopped() } satisfies BackupState;
    await db.write((tx) => saveChore(tx, 'backup', { state, heldUntil: isStopped() ? 0 : now() + AGAIN_MS }));
    return false;
  } finally {
    clearInterval(hold);
  }
}
