import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Kysely } from 'kysely';
import type { Db } from '../../base/server/db/db.ts';
import { type Found, lastMigration, migrateTo } from '../../base/server/db/open.ts';
import type { Tables } from '../../base/server/db/tables.ts';
import type { Files } from '../../base/server/files/files.ts';
import { typeOfRow } from '../../memories/server/memory.ts';
import { type KeptPhotograph, keptPhotograph, type ListedFile, type Manifest } from '../manifest.ts';
import { isKeptTable } from './backup.ts';
import { BackupError, BackupFolder } from './backup-folder.ts';
import { insertRows, readRows } from './rows.ts';
import { isSame, measure, measureFile, writeWhole } from './whole-file.ts';

/** Where a backup is to be restored. */
export interface Target extends Found {
  readonly files: Files;
}

/**
 * Puts a backup into an empty place, of whichever engine and store: the photographs first, each held against its hash,
 * then all rows in one transaction, so that a restore that fails has brought nobody back half. It may be begun again.
 * @param stamp an earlier backup than the newest
 * @throws BackupError where the place is not empty, or the backup is not whole
 */
export async function restore(target: Target, root: string, stamp: string | null = null): Promise<Manifest> {
  const folder = new BackupFolder(root);
  const manifest = await wanted(folder, stamp);
  await assertWhole(folder, manifest);
  await prepareTables(target, manifest);
  await assertNobodyElses(target.files, folder, manifest);
  for await (const photograph of photographs(folder, manifest)) await putPhotograph(target.files, folder, photograph);
  await fill(target.db, folder, manifest);
  await migrateTo(target.migrate, null);
  return manifest;
}

/** The backup that is asked for. */
export async function wanted(folder: BackupFolder, stamp: string | null): Promise<Manifest> {
  const manifest = await folder.manifest(stamp);
  if (manifest !== null) return manifest;
  const earlier = await folder.earlier();
  const known = stamp === null || earlier.length === 0 ? '' : ` There are: ${earlier.join(', ')}.`;
  throw new BackupError(`There is no ${stamp === null ? 'finished backup' : 'such backup'} in ${folder.root}.${known}`);
}

/** The photographs that a backup has. */
export async function* photographs(folder: BackupFolder, manifest: Manifest): AsyncGenerator<KeptPhotograph> {
  for await (const row of readRows(folder.path(manifest.photographs.file))) yield keptPhotograph.parse(row);
}

/** What is wrong with a file of rows, in a sentence; null where it is as it was written. */
export async function faultOf(folder: BackupFolder, listed: ListedFile): Promise<string | null> {
  const found = await measureFile(folder.path(listed.file));
  if (found === null) return `${listed.file} is missing.`;
  return isSame(found, listed) ? null : `${listed.file} is not as it was written.`;
}

async function assertWhole(folder: BackupFolder, manifest: Manifest): Promise<void> {
  for (const listed of [...manifest.tables, manifest.photographs]) {
    const fault = await faultOf(folder, listed);
    if (fault !== null) throw new BackupError(`${fault} Nothing was restored.`);
  }
}

/** Makes the tables as they were when the backup was made. */
async function prepareTables({ db, migrate }: Target, { migration }: Manifest): Promise<void> {
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
async function assertNobodyElses(files: Files, folder: BackupFolder, manifest: Manifest): Promise<void> {
  const ours = new Set<string>();
  for await (const { name } of photographs(folder, manifest)) ours.add(name);
  for await (const name of files.list()) {
    if (!ours.has(name)) throw new BackupError('There are other photographs in the store. It has to be empty.');
  }
}

async function putPhotograph(files: Files, folder: BackupFolder, photograph: KeptPhotograph): Promise<void> {
  const { name } = photograph;
  if ((await files.size(name)) !== null && isSame(await measure(await files.read(name)), photograph)) return;
  const temporary = files.temporary();
  try {
    if ((await writeWhole(temporary, () => createReadStream(folder.photo(name)), photograph)) === null) {
      throw new BackupError(`The photograph ${name} of the backup is not as it was written. Nothing was restored.`);
    }
    await files.put(name, temporary, typeOfRow({ fileExtension: extname(name) }));
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Fills all tables in one transaction. */
export async function fill(db: Db, folder: BackupFolder, manifest: Manifest): Promise<void> {
  await db.write(async (tx) => {
    for (const { table, file, rows } of manifest.tables) {
      if (!isKeptTable(table)) throw new BackupError(`The backup has a table that is not known here: ${table}.`);
      const count = await insertRows(tx, table, readRows(folder.path(file)));
      if (count !== rows) throw new BackupError(`${file} has ${count} rows, and should have ${rows}.`);
    }
  });
}
