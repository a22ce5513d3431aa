import { join } from 'node:path';
import { isStoredName } from '../../../base/server/files/files.ts';
import type { Manifest } from '../../manifest.ts';
import { hasFailedVerification, surplusBackups } from '../../retention.ts';
import { BackupFolder, isStamp, namesIn, removeDurably } from './backup-folder.ts';
import { BackupLock } from './backup-lock.ts';
import { listedFileFault, readPhotographs } from './restore.ts';

/**
 * Removes the backups that are no longer needed (see `surplusBackups`), and the rows and photographs that no remaining
 * backup refers to. Nothing is removed after a failed verification, or if a file that a backup needs can't be read.
 * Other files in the folder are left alone.
 * @param zone the time zone that defines a day
 * @returns the reason nothing was removed, as a sentence; null if the folder was thinned
 * @throws FolderBusy if another process is using the folder
 */
export async function thinBackups(root: string, zone: string = serverZone()): Promise<string | null> {
  const lock = await BackupLock.take(root);
  try {
    return await thin(new BackupFolder(root), lock, zone);
  } finally {
    await lock.release();
  }
}

async function thin(folder: BackupFolder, lock: BackupLock, zone: string): Promise<string | null> {
  const { found, unreadable } = await folder.backups();
  if (unreadable.length > 0)
    return `${unreadable.join(', ')} can’t be read as a manifest. No backup is removed until it is repaired or deleted.`;
  if (hasFailedVerification(found)) return 'The last verification failed. No backup is removed until one passes.';
  const surplus = new Set(surplusBackups(found, zone));
  const kept = found.filter(({ stamp }) => !surplus.has(stamp));
  const referenced = new Set<string>();
  for (const { manifest } of kept) {
    const fault = await listedFileFault(folder, manifest.photographs);
    if (fault !== null) return `${fault} No backup is removed until it is repaired, or its manifest is deleted.`;
    for await (const { name } of readPhotographs(folder, manifest)) referenced.add(name);
  }
  await lock.assertHeld();
  // Remove manifests durably before the files they refer to.
  await removeDurably(
    folder.path('earlier'),
    [...surplus].map((stamp) => `${stamp}.json`),
  );
  const tables = new Set(kept.flatMap(({ manifest }) => foldersOf(manifest)));
  const unreferenced = (await namesIn(folder.path('tables'))).filter((stamp) => isStamp(stamp) && !tables.has(stamp));
  await removeDurably(folder.path('tables'), unreferenced);
  await removePhotographs(folder, referenced);
  return null;
}

/** The folders in `tables/` that hold a backup's rows: one per backup. */
function foldersOf({ tables, photographs: { file } }: Manifest): string[] {
  return [...tables.map((table) => table.file), file].map((path) => path.split('/')[1] ?? '');
}

async function removePhotographs(folder: BackupFolder, referenced: ReadonlySet<string>): Promise<void> {
  for (const couple of await namesIn(folder.path('photos'))) {
    const path = folder.path(join('photos', couple));
    const isSurplus = (file: string) => {
      const name = `${couple}/${file.replace(/\.part$/, '')}`;
      return isStoredName(name) && (file.endsWith('.part') || !referenced.has(name));
    };
    await removeDurably(path, (await namesIn(path)).filter(isSurplus));
  }
}

/** The time zone of the server's clock. */
function serverZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
