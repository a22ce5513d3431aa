import { createReadStream } from 'node:fs';
import { longDate } from '../../../base/date-formats.ts';
import { digestOf, type FileDigest, isSameDigest } from '../../../base/server/files/digest.ts';
import { isMissing, isUnreadable } from '../../../base/server/files/missing-or-unreadable.ts';
import { serverZone } from '../../../base/server/process/server-zone.ts';
import {
  type BackupPhotograph,
  backupPhotograph,
  describeContents,
  type ListedFile,
  type Manifest,
} from '../../manifest.ts';
import { oldestFirst } from '../../surplus-backups.ts';
import { BackupError } from './backup-error.ts';
import type { BackupFolder } from './backup-folder.ts';
import { readRows } from './table-rows.ts';

/** Returns the manifest of a backup. @throws BackupError if there is none */
export async function requireManifest(folder: BackupFolder, stamp: string | null): Promise<Manifest> {
  const manifest = await folder.manifest(stamp);
  if (manifest !== null) return manifest;
  if (stamp === null) throw new BackupError(`There is no finished backup in ${folder.root}.`);
  throw new BackupError(`There is no such backup in ${folder.root}. It has:`, { list: await listBackups(folder) });
}

/** Describes each backup in a line, the newest first: its name, its day, and what it holds. */
export async function listBackups(folder: BackupFolder): Promise<string[]> {
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
async function* readPhotographList(folder: BackupFolder, { file }: ListedFile): AsyncGenerator<BackupPhotograph> {
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
    return isSameDigest(found, expected) ? null : `${name} has changed since it was written.`;
  } catch (error) {
    if (isMissing(error)) return `${name} is missing.`;
    if (isUnreadable(error)) return `${name} can’t be read (${error.code}).`;
    throw error;
  }
}
