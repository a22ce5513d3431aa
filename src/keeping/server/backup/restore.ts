import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Kysely } from 'kysely';
import type { Db, Writer } from '../../../base/server/db/db.ts';
import { type Found, lastMigration, migrateTo } from '../../../base/server/db/open.ts';
import { isBackedUpTable } from '../../../base/server/db/table-policies.ts';
import type { Tables } from '../../../base/server/db/tables.ts';
import { toRefusal } from '../../../base/server/errors.ts';
import {
  digestOf,
  type FileDigest,
  isUnreadable,
  sameDigest,
  writeDurably,
} from '../../../base/server/files/durable-file.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { isMissing } from '../../../base/server/files/local.ts';
import { digestOfStored } from '../../../base/server/files/stored-file.ts';
import { serverZone } from '../../../base/server/server-zone.ts';
import { adoptStore } from '../../../base/server/store-identity.ts';
import { longDate } from '../../../base/time.ts';
import { typeOfRow } from '../../../memories/server/memory.ts';
import { restartTrash } from '../../../memories/server/trash-store.ts';
import {
  type BackupPhotograph,
  backupPhotograph,
  describeContents,
  type ListedFile,
  type Manifest,
  rowsIn,
} from '../../manifest.ts';
import { oldestFirst } from '../../retention.ts';
import { BackupError } from './backup-error.ts';
import { BackupFolder, stampOf } from './backup-folder.ts';
import { insertRows, readRows } from './table-rows.ts';

/** Where to restore a backup. */
export interface RestoreTarget extends Found {
  readonly files: Files;
}

/**
 * Restores a backup into an empty database and store of either kind: the photographs first, each checked against its
 * hash, also those that had changed before, then all rows in one transaction. A failed restore leaves no rows and can be
 * started again. What is in the trash of the backup stays there for another thirty days.
 * @param stamp which backup; null for the newest
 * @throws BackupError if the target isn't empty, or the backup is damaged
 */
export async function restore(target: RestoreTarget, root: string, stamp: string | null = null): Promise<Manifest> {
  const folder = new BackupFolder(root);
  const manifest = await requireManifest(folder, stamp);
  if (stamp === null) await assertHasCouple(folder, manifest);
  await assertIntact(folder, manifest);
  await prepareTables(target, manifest);
  await assertNoOtherPhotographs(target.files, folder, manifest);
  for await (const photograph of readPhotographs(folder, manifest)) await restorePhotograph(target.files, photograph);
  await fillTables(target.db, folder, manifest, (tx) => restartTrash(tx, null, Date.now()));
  await migrateTo(target.migrate, null);
  // The store may still carry the id of the lost database.
  await adoptStore(target, Date.now());
  return manifest;
}

/** Returns the manifest of a backup. @throws BackupError if there is none */
export async function requireManifest(folder: BackupFolder, stamp: string | null): Promise<Manifest> {
  const manifest = await folder.manifest(stamp);
  if (manifest !== null) return manifest;
  if (stamp === null) throw new BackupError(`There is no finished backup in ${folder.root}.`);
  throw new BackupError(`There is no such backup in ${folder.root}. It has:`, { list: await listBackups(folder) });
}

/** @throws BackupError with the other backups if this one, which nobody has named, holds no album */
async function assertHasCouple(folder: BackupFolder, manifest: Manifest): Promise<void> {
  if (rowsIn(manifest, 'couples') > 0) return;
  const others = (await listBackups(folder)).filter((line) => !line.startsWith(stampOf(manifest.createdAt)));
  throw new BackupError('The newest backup has no couple. Nothing was restored. Name the backup that you want:', {
    list: others,
  });
}

/** Describes each backup in a line, the newest first: its name, its day, and what it holds. */
async function listBackups(folder: BackupFolder): Promise<string[]> {
  const { found } = await folder.backups();
  return oldestFirst(found)
    .toReversed()
    .map(
      ({ stamp, createdAt, manifest }) =>
        `${stamp}  ${longDate(createdAt, serverZone())}: ${describeContents(manifest)}`,
    );
}

/** A photograph that a backup has. */
export interface BackedUpPhotograph extends BackupPhotograph {
  /** Whether it had changed before it was backed up. */
  readonly isChanged: boolean;
  readonly path: string;
}

/** Reads which photographs a backup has, those that had changed last. @throws BackupError if a row is invalid */
export async function* readPhotographs(folder: BackupFolder, manifest: Manifest): AsyncGenerator<BackedUpPhotograph> {
  for await (const one of readPhotographList(folder, manifest.photographs))
    yield { ...one, isChanged: false, path: folder.photo(one.name) };
  if (manifest.changed === null) return;
  for await (const one of readPhotographList(folder, manifest.changed)) {
    yield { ...one, isChanged: true, path: folder.changed(one) };
  }
}

/** Reads one list of photographs. @throws BackupError if a row is invalid */
export async function* readPhotographList(
  folder: BackupFolder,
  { file }: ListedFile,
): AsyncGenerator<BackupPhotograph> {
  for await (const row of readRows(folder.path(file))) {
    const parsed = backupPhotograph.safeParse(row);
    if (!parsed.success) throw new BackupError(`${file} has a row that isn’t a photograph.`);
    yield parsed.data;
  }
}

/** The lists of a backup's photographs. */
export function photographLists({ photographs, changed }: Manifest): ListedFile[] {
  return changed === null ? [photographs] : [photographs, changed];
}

/** Compares a file of rows with its digest. Returns the fault as a sentence, or null. */
export function listedFileFault(folder: BackupFolder, listed: ListedFile): Promise<string | null> {
  return fileFault(folder.path(listed.file), listed, listed.file);
}

/** Compares a photograph of a backup with its digest. Returns the fault as a sentence, or null. */
export function photographFault(photograph: BackedUpPhotograph): Promise<string | null> {
  return fileFault(photograph.path, photograph, `The photograph ${photograph.name}`);
}

async function fileFault(path: string, expected: FileDigest, name: string): Promise<string | null> {
  try {
    const found = await digestOf(createReadStream(path));
    return sameDigest(found, expected) ? null : `${name} has changed since it was written.`;
  } catch (error) {
    if (isMissing(error)) return `${name} is missing.`;
    if (isUnreadable(error)) return `${name} can’t be read (${error.code}).`;
    throw error;
  }
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

/** @throws BackupError if the backup was made by a newer version */
export async function migrateKnown(migrate: Kysely<Tables>, migration: string): Promise<void> {
  try {
    await migrateTo(migrate, migration);
  } catch (error) {
    if (error instanceof Error && /migration .* (isn't|not|doesn't)/i.test(error.message)) {
      throw new BackupError('This backup was made by a newer version. Restore it with that version.');
    }
    throw error;
  }
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
  if (found !== null && sameDigest(found, photograph)) return;
  if (!(await copyToStore(files, photograph.path, photograph))) {
    throw new BackupError(
      `The photograph ${name} of the backup has changed since it was written. Nothing was restored.`,
    );
  }
}

/** Copies a photograph of a backup into the store. @returns false if it has changed since it was written */
export async function copyToStore(files: Files, path: string, photograph: BackupPhotograph): Promise<boolean> {
  const { name } = photograph;
  const temporary = files.temporary();
  try {
    if ((await writeDurably(temporary, () => createReadStream(path), photograph)) === null) return false;
    await files.put(name, temporary, typeOfRow({ fileExtension: extname(name) }));
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Inserts the rows of all tables in one transaction, which `finish` may complete. */
export async function fillTables(
  db: Db,
  folder: BackupFolder,
  manifest: Manifest,
  finish: (tx: Writer) => Promise<void> = async () => undefined,
): Promise<void> {
  await db.write(async (tx) => {
    for (const { table, file, rows } of manifest.tables) {
      if (!isBackedUpTable(table)) throw new BackupError(`The backup has an unknown table: ${table}.`);
      const count = await insertRows(tx, table, readRows(folder.path(file))).catch((error: unknown) => {
        // A full disk or a lost connection isn't the row's fault.
        if (error instanceof BackupError || toRefusal(error) !== null) throw error;
        throw new BackupError(`${file} has a row that the database refuses: ${errorMessage(error)}`);
      });
      if (count !== rows) throw new BackupError(`${file} has ${count} rows, and should have ${rows}.`);
    }
    await finish(tx);
  });
}

/** Returns the message of anything thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
