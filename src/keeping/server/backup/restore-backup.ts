import { lastMigration, migrateTo } from '../../../base/server/db/migrate.ts';
import type { OpenedDb } from '../../../base/server/db/open.ts';
import { isSameDigest } from '../../../base/server/files/digest.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { digestOfStored } from '../../../base/server/files/read-stored.ts';
import { adoptStore } from '../../../base/server/files/store-identity.ts';
import { restartTrash } from '../../../memories/server/trash-store.ts';
import { type Manifest, rowsIn } from '../../manifest.ts';
import {
  type BackedUpPhotograph,
  listBackups,
  listedFileFault,
  photographLists,
  readPhotographs,
  requireManifest,
} from './backup-contents.ts';
import { BackupError } from './backup-error.ts';
import { BackupFolder, stampOf } from './backup-folder.ts';
import { copyToStore } from './copy-to-store.ts';
import { fillTables } from './fill-tables.ts';
import { migrateKnown } from './migrate-known.ts';

/** Where to restore a backup. */
export interface RestoreTarget extends OpenedDb {
  readonly files: Files;
}

/**
 * Restores a backup into an empty database and store of either kind: the photographs first, each checked against its
 * hash, also those that had changed before, then all rows in one transaction. A failed restore leaves no rows and can be
 * started again. What is in the trash of the backup stays there for another thirty days.
 * @param stamp which backup; null for the newest
 * @throws BackupError if the target isn't empty, or the backup is damaged
 */
export async function restoreBackup(
  target: RestoreTarget,
  root: string,
  stamp: string | null = null,
): Promise<Manifest> {
  const folder = new BackupFolder(root);
  const manifest = await requireManifest(folder, stamp);
  if (stamp === null) await assertHasCouple(folder, manifest);
  await assertIntact(folder, manifest);
  await prepareTables(target, manifest);
  await target.files.create();
  await assertNoOtherPhotographs(target.files, folder, manifest);
  for await (const photograph of readPhotographs(folder, manifest)) await restorePhotograph(target.files, photograph);
  await fillTables(target.db, folder, manifest, (tx) => restartTrash(tx, null, Date.now()));
  await migrateTo(target.migrate, null);
  // The store may still carry the id of the lost database.
  await adoptStore({ ...target, now: Date.now });
  return manifest;
}

/** @throws BackupError with the other backups if this one, which nobody has named, holds no album */
async function assertHasCouple(folder: BackupFolder, manifest: Manifest): Promise<void> {
  if (rowsIn(manifest, 'couples') > 0) return;
  const others = (await listBackups(folder)).filter((line) => !line.startsWith(stampOf(manifest.createdAt)));
  throw new BackupError('The newest backup has no couple. Nothing was restored. Name the backup that you want:', {
    list: others,
  });
}

async function assertIntact(folder: BackupFolder, manifest: Manifest): Promise<void> {
  for (const listed of [...manifest.tables, ...photographLists(manifest)]) {
    const fault = await listedFileFault(folder, listed);
    if (fault !== null) throw new BackupError(`${fault} Nothing was restored.`);
  }
}

/** Migrates the empty database to the backup's migration. */
async function prepareTables({ db, migrate }: RestoreTarget, { migration }: Manifest): Promise<void> {
  const last = await lastMigration(migrate);
  if (last !== null && (await db.read.selectFrom('couples').select('id').limit(1).execute()).length > 0) {
    throw new BackupError('This database already has data. A backup can only be restored into an empty one.');
  }
  if (last !== null && last > migration) {
    throw new BackupError('The tables are newer than the backup. Use a fresh database.');
  }
  await migrateKnown(migrate, migration);
}

/** @throws BackupError if the photo store has files that aren't in the backup */
async function assertNoOtherPhotographs(files: Files, folder: BackupFolder, manifest: Manifest): Promise<void> {
  const ours = new Set<string>();
  for await (const { name } of readPhotographs(folder, manifest)) ours.add(name);
  for await (const name of files.list()) {
    if (!ours.has(name)) throw new BackupError('The store has other photographs. It must be empty.');
  }
}

async function restorePhotograph(files: Files, photograph: BackedUpPhotograph): Promise<void> {
  const { name } = photograph;
  const found = await digestOfStored(files, name);
  if (found !== null && isSameDigest(found, photograph)) return;
  if (!(await copyToStore(files, photograph.path, photograph))) {
    throw new BackupError(
      `The photograph ${name} of the backup has changed since it was written. Nothing was restored.`,
    );
  }
}
