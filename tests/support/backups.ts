import { lastMigration } from '../../src/base/server/db/migrate.ts';
import { openWithoutMigrating } from '../../src/base/server/db/open.ts';
import { openFiles } from '../../src/base/server/files/open.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import type { BackupSource } from '../../src/keeping/server/backup/backup.ts';
import { restoreBackup } from '../../src/keeping/server/backup/restore-backup.ts';
import type { TestApp } from './test-app.ts';
import { setS3Credentials, type TestStorage } from './test-storage.ts';

/** What a backup of a running test app reads. */
export async function backupSourceOf(app: TestApp): Promise<BackupSource> {
  const config = readConfig(app.storage.env);
  const { db, migrate } = openWithoutMigrating(config);
  const migration = (await lastMigration(migrate)) ?? '';
  await db.close();
  return { db: app.db, files: await openFiles(config), migration, now: Date.now };
}

/** Restores a backup into an empty storage. Sets its S3 credentials. */
export async function restoreInto(storage: TestStorage, folder: string, stamp?: string): Promise<void> {
  setS3Credentials(storage);
  const config = readConfig(storage.env);
  const found = openWithoutMigrating(config);
  try {
    await restoreBackup({ ...found, files: await openFiles(config) }, folder, stamp);
  } finally {
    await found.db.close();
  }
}
