import { join } from 'node:path';
import { isOurName } from '../../../base/server/files/files.ts';
import type { Manifest } from '../../manifest.ts';
import { hasFailedVerification, surplusBackups } from '../../retention.ts';
import { BackupFolder, isStamp, namesIn, removeDurably } from './backup-folder.ts';
import { BackupLock } from './backup-lock.ts';
import { listedFileFault, readPhotographs } from './restore.ts';

/**
 * Removes the backups of a folder that are no longer needed (see `surplusBackups`), and the rows and photographs that
 * no backup names any more. All of it or nothing is decided before the first removal: after a failed verification, or
 * where what a backup needs can't be read, nothing is removed. Nothing else in the folder is touched.
 * @param zone whose calendar days count
 * @returns why nothing was removed, in a sentence; null where the folder was thinned
 * @throws FolderBusy where another backup works in the folder
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
    return `${unreadable.join(', ')} can not be read as a manifest. No backup is removed until it is mended or deleted.`;
  if (hasFailedVerification(found)) return 'The last verification failed. No backup is removed until one passes.';
  const surplus = new Set(surplusBackups(found, zone));
  const kept = found.filter(({ stamp }) => !surplus.has(stamp));
  const named = new Set<string>();
  for (const { manifest } of kept) {
    const fault = await listedFileFault(folder, manifest.photographs);
    if (fault !== null) return `${fault} No backup is removed until it is mended, or its manifest is deleted.`;
    for await (const { name } of readPhotographs(folder, manifest)) named.add(name);
  }
  await lock.assertHeld();
  // A manifest is gone for certain before what it names goes.
  await removeDurably(
    folder.path('earlier'),
    [...surplus].map((stamp) => `${stamp}.json`),
  );
  const tables = new Set(kept.flatMap(({ manifest }) => foldersOf(manifest)));
  const unnamed = (await namesIn(folder.path('tables'))).filter((stamp) => isStamp(stamp) && !tables.has(stamp));
  await removeDurably(folder.path('tables'), unnamed);
  await removePhotographs(folder, named);
  return null;
}

/** The folders in `tables/` that a backup's rows lie in: one. */
function foldersOf({ tables, photographs: { file } }: Manifest): string[] {
  return [...tables.map((table) => table.file), file].map((path) => path.split('/')[1] ?? '');
}

async function removePhotographs(folder: BackupFolder, named: ReadonlySet<string>): Promise<void> {
  for (const couple of await namesIn(folder.path('photos'))) {
    const place = folder.path(join('photos', couple));
    const isSurplus = (file: string) => {
      const name = `${couple}/${file.replace(/\.part$/, '')}`;
      return isOurName(name) && (file.endsWith('.part') || !named.has(name));
    };
    await removeDurably(place, (await namesIn(place)).filter(isSurplus));
  }
}

/** The zone of the server's own clock, in which its nights are. */
function serverZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
