import { readdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { assertCompatible } from '../../src/base/server/db/compatibility.ts';
import { lastMigration } from '../../src/base/server/db/migrate.ts';
import { latestMigration, migrations } from '../../src/base/server/db/migrations/index.ts';
import { type OpenedDb, openWithoutMigrating } from '../../src/base/server/db/open.ts';
import { DATABASE_FILE } from '../../src/base/server/db/sqlite/sqlite.ts';
import { PHOTOS_FOLDER } from '../../src/base/server/files/disk.ts';
import type { Files } from '../../src/base/server/files/files.ts';
import { isMissing } from '../../src/base/server/files/missing-or-unreadable.ts';
import { openFiles } from '../../src/base/server/files/open.ts';
import { type Config, readConfig } from '../../src/base/server/process/config.ts';
import { CommandError } from './command.ts';

/** The database and the photo store that the environment variables name. */
export interface Stores extends OpenedDb {
  readonly config: Config;
  readonly files: Files;
}

/**
 * Opens the database, without migrating it, and the photo store; closes both when `work` is done.
 * @param writesTo the folder that the command writes to; `DATA_DIR` by default
 */
export async function withStores<T>(work: (stores: Stores) => Promise<T>, writesTo?: string): Promise<T> {
  const config = readConfig(process.env);
  becomeOwner(config.dataDir, writesTo);
  const found = openWithoutMigrating(config);
  try {
    return await work({ ...found, config, files: await openFiles(config) });
  } finally {
    await found.db.close();
  }
}

/**
 * Does the same for a command that needs an album. Where there is none, it creates nothing.
 * @throws CommandError if there is none
 */
export function withAlbum<T>(work: (stores: Stores) => Promise<T>, writesTo?: string): Promise<T> {
  const { databaseUrl, s3, dataDir } = readConfig(process.env);
  const needed = databaseUrl === null ? DATABASE_FILE : PHOTOS_FOLDER;
  if ((databaseUrl === null || s3 === null) && !namesIn(dataDir).includes(needed)) {
    throw new CommandError(`There is no album in ${dataDir}. Correct DATA_DIR, or start the app there once.`);
  }
  return withStores(work, writesTo);
}

/** The names in a folder; none if it doesn't exist. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * Lets a command of root go on as the owner of the folders that it uses: the server, which runs as that user, couldn't
 * read what root wrote. Folders of several users are left to root.
 */
export function becomeOwner(...folders: readonly (string | undefined)[]): void {
  if (process.getuid?.() !== 0) return;
  const [owner, ...others] = folders.flatMap((folder) => (folder === undefined ? [] : [ownerOf(folder)]));
  if (owner === undefined || others.some(({ uid }) => uid !== owner.uid)) return;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}

/** The owner of a folder, or of the one in which it will be created. */
function ownerOf(folder: string): Stats {
  return statSync(folder, { throwIfNoEntry: false }) ?? ownerOf(dirname(folder));
}

/**
 * @throws CommandError unless the database has all migrations of this version
 * @throws IncompatibleTables if it has others with which this version can't work
 */
export async function requireMigrated(migrate: OpenedDb['migrate']): Promise<void> {
  if ((await lastMigration(migrate)) !== latestMigration) {
    throw new CommandError(
      'The database is missing or belongs to another version. Start the app once, then try again.',
    );
  }
  await assertCompatible(migrate, migrations);
}
