import { chownSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { isBusy } from '../db/faults.ts';
import { FILE_MODE } from '../files/private-files.ts';

/** A locked file. The operating system releases it when the process ends, however it ends. */
export interface FileLock {
  /** Unlocks the file, which stays. */
  release(): void;
}

/**
 * Locks an empty file, and creates it if it is missing. Node can't lock a file itself, so SQLite does it, for which the
 * file is a database without tables.
 * @returns null if it is locked, by another process or this one
 */
export function lockFile(path: string): FileLock | null {
  // Closing a file would release the locks that this process holds on it.
  if (!existsSync(path)) create(path);
  const connection = new BetterSqlite3(path, { timeout: 0 });
  try {
    // Without a journal's file, which a killed process would leave.
    connection.pragma('journal_mode = MEMORY');
    connection.exec('begin exclusive');
  } catch (error) {
    connection.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return { release: () => void connection.close() };
}

/** Creates an empty file that belongs to the folder's owner: a server without root's rights couldn't lock one of root. */
function create(path: string): void {
  closeSync(openSync(path, 'a', FILE_MODE));
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}
