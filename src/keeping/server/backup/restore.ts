import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Kysely } from 'kysely';
import type { Db } from '../../../base/server/db/db.ts';
import { type Found, lastMigration, migrateTo } from '../../../base/server/db/open.ts';
import type { Tables } from '../../../base/server/db/tables.ts';
import { toRefusal } from '../../../base/server/errors.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { adoptStore } from '../../../base/server/store-identity.ts';
import { typeOfRow } from '../../../memories/server/memory.ts';
import { type BackupPhotograph, backupPhotograph, type ListedFile, type Manifest } from '../../manifest.ts';
import { digestOf, digestOfFile, type FileDigest, sameDigest, writeDurably } from '../durable-file.ts';
import { isBackedUpTable } from './backup.ts';
import { BackupError } from './backup-error.ts';
import { BackupFolder } from './backup-folder.ts';
import { insertRows, readRows } from './table-rows.ts';

/** What reading a file fails with that is there, and can not be read. */
const UNREADABLE = new Set(['EIO', 'EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EUCLEAN', 'EBADMSG']);

/** Where a backup is to be restored. */
export interface RestoreTarget extends Found {
  readonly files: Files;
}

/**
 * Puts a backup into an empty place, of whichever engine and store: the photographs first, each held against its hash,
 * then all rows in one transaction, so that a restore that fails has brought nobody back half. It may be begun again.
 * @param stamp an earlier backup than the newest
 * @throws BackupError where the place is not empty, or the backup is not whole
 */
export async function restore(target: RestoreTarget, root: string, stamp: string | null = null): Promise<Manifest> {
  const folder = new BackupFolder(root);
  const manifest = await requireManifest(folder, stamp);
  await assertIntact(folder, manifest);
  await prepareTables(target, manifest);
  await assertNoOtherPhotographs(target.files, folder, manifest);
  for await (const photograph of readPhotographs(folder, manifest))
    await restorePhotograph(target.files, folder, photograph);
  await fillTables(target.db, folder, manifest);
  await migrateTo(target.migrate, null);
  // The store may bear the label of the database that was lost.
  await adoptStore(target, Date.now());
  return manifest;
}

/** The backup that is asked for. */
export async function requireManifest(folder: BackupFolder, stamp: string | null): Promise<Manifest> {
  const manifest = await folder.manifest(stamp);
  if (manifest !== null) return manifest;
  const earlier = await folder.earlier();
  const known = stamp === null || earlier.length === 0 ? '' : ` There are: ${earlier.join(', ')}.`;
  throw new BackupError(`There is no ${stamp === null ? 'finished backup' : 'such backup'} in ${folder.root}.${known}`);
}

/** The photographs that a backup has. @throws BackupError where the list names something else */
export async function* readPhotographs(folder: BackupFolder, manifest: Manifest): AsyncGenerator<BackupPhotograph> {
  for await (const row of readRows(folder.path(manifest.photographs.file))) {
    const parsed = backupPhotograph.safeParse(row);
    if (!parsed.success) throw new BackupError(`${manifest.photographs.file} has a row that is no photograph.`);
    yield parsed.data;
  }
}

/** What is wrong with a file of rows, in a sentence; null where it is as it was written. */
export function listedFileFault(folder: BackupFolder, listed: ListedFile): Promise<string | null> {
  return fileFault(folder.path(listed.file), listed, listed.file);
}

/** What is wrong with a photograph of a backup, in a sentence; null where it is as it was written. */
export function photographFault(folder: BackupFolder, photograph: BackupPhotograph): Promise<string | null> {
  return fileFault(folder.photo(photograph.name), photograph, `The photograph ${photograph.name}`);
}

async function fileFault(path: string, expected: FileDigest, name: string): Promise<string | null> {
  try {
    const found = await digestOfFile(path);
    if (found === null) return `${name} is missing.`;
    return sameDigest(found, expected) ? null : `${name} is not as it was written.`;
  } catch (error) {
    // A bad place on the disk is the file's fault; it must not keep us from looking at the others.
    if (error instanceof Error && 'code' in error && UNREADABLE.has(String(error.code)))
      return `${name} can not be read (${String(error.code)}).`;
    throw error;
  }
}

async function assertIntact(folder: BackupFolder, manifest: Manifest): Promise<void> {
  for (const listed of [...manifest.tables, manifest.photographs]) {
    const fault = await listedFileFault(folder, listed);
    if (fault !== null) throw new BackupError(`${fault} Nothing was restored.`);
  }
}

/** Makes the tables as they were when the backup was made. */
async function prepareTables({ db, migrate }: RestoreTarget, { migration }: Manifest): Promise<void> {
  const last = await lastMigration(migrate);
  if (last !== null && (await db.read.selectFrom('couples').select('id').limit(1).execute()).length > 0) {
    throw new BackupError('Somebody lives here already. A backup is restored into an empty place only.');
  }
  if (last !== null && last > migration) {
    throw new BackupError('The tables here are newer than the backup. Give it a fresh database.');
  }
  await migrateKnown(migrate, migration);
}

/** @throws BackupError where the backup comes from a newer version than this */
export async function migrateKnown(migrate: Kysely<Tables>, migration: string): Promise<void> {
  try {
    await migrateTo(migrate, migration);
  } catch (error) {
    if (error instanceof Error && /migration .* (isn't|not|doesn't)/i.test(error.message)) {
      throw new BackupError('This backup was made by a newer version. Restore it with that one.');
    }
    throw error;
  }
}

/** @throws BackupError where the photo store holds what the backup doesn't know */
async function assertNoOtherPhotographs(files: Files, folder: BackupFolder, manifest: Manifest): Promise<void> {
  const ours = new Set<string>();
  for await (const { name } of readPhotographs(folder, manifest)) ours.add(name);
  for await (const name of files.list()) {
    if (!ours.has(name)) throw new BackupError('There are other photographs in the store. It has to be empty.');
  }
}

async function restorePhotograph(files: Files, folder: BackupFolder, photograph: BackupPhotograph): Promise<void> {
  const { name } = photograph;
  if ((await files.size(name)) !== null && sameDigest(await digestOf(await files.read(name)), photograph)) return;
  const temporary = files.temporary();
  try {
    if ((await writeDurably(temporary, () => createReadStream(folder.photo(name)), photograph)) === null) {
      throw new BackupError(`The photograph ${name} of the backup is not as it was written. Nothing was restored.`);
    }
    await files.put(name, temporary, typeOfRow({ fileExtension: extname(name) }));
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Fills all tables in one transaction. */
export async function fillTables(db: Db, folder: BackupFolder, manifest: Manifest): Promise<void> {
  await db.write(async (tx) => {
    for (const { table, file, rows } of manifest.tables) {
      if (!isBackedUpTable(table)) throw new BackupError(`The backup has a table that is not known here: ${table}.`);
      const count = await insertRows(tx, table, readRows(folder.path(file))).catch((error: unknown) => {
        // Whatever else it is, a full disk or a database that is away, is not the row's fault.
        if (error instanceof BackupError || toRefusal(error) !== null) throw error;
        throw new BackupError(`${file} has a row that does not fit: ${errorMessage(error)}`);
      });
      if (count !== rows) throw new BackupError(`${file} has ${count} rows, and should have ${rows}.`);
    }
  });
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
