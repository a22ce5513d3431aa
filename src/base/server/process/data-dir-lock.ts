import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER_MODE } from '../files/private-files.ts';
import type { Config } from './config.ts';
import { type FileLock, lockFile } from './file-lock.ts';

/** The folder of SQLite is used by a server or a restore. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';

  constructor(dataDir: string) {
    super(`${dataDir} is in use by another server or a restore. Stop that first, or set DATA_DIR to another folder.`);
  }
}

/**
 * Locks the folder of SQLite for one server: a page of one wouldn't learn what is changed on another. A restore takes the
 * lock too. Commands that may run beside a server don't. With PostgreSQL, several servers are meant to run.
 * @throws DataDirInUse if another process holds the lock, or this one
 */
export function lockDataDir({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): FileLock {
  if (databaseUrl !== null) return { release: () => undefined };
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  const lock = lockFile(join(dataDir, 'server.lock'));
  if (lock === null) throw new DataDirInUse(dataDir);
  return lock;
}
