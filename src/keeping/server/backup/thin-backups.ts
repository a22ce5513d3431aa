import { join } from 'node:path';
import type { Deps } from '../../../base/server/deps.ts';
import { isStoredName } from '../../../base/server/files/files.ts';
import { findMismatch, MISMATCHES } from '../../../base/server/files/store-identity.ts';
import { serverZone } from '../../../base/server/process/server-zone.ts';
import type { Manifest } from '../../manifest.ts';
import { hasFailedVerification, surplusBackups } from '../../surplus-backups.ts';
import { listedFileFault, photographLists, readPhotographs } from './backup-contents.ts';
import { BackupFolder, CHANGED, isStamp, namesIn, removeDurably } from './backup-folder.ts';
import { type SeparatedBackups, splitBackupsByDatabase } from './split-backups-by-database.ts';

/** The result of thinning. */
export interface Thinning {
  /** Why nothing was removed, as a sentence; null if the folder was thinned. */
  readonly reason: string | null;
  /** How many backups were kept because they are of another database. */
  readonly ofOthers: number;
}

/**
 * Thins the folder for a server, unless its database and its photo store don't seem to belong together: backups of a
 * wrong database must not push out those of the right one.
 * @throws FolderBusy if another process is using the folder
 */
export async function thinOwnBackups(deps: Pick<Deps, 'db' | 'files' | 'now'>, root: string): Promise<Thinning> {
  const mismatch = await findMismatch(deps);
  if (mismatch === null) return thinBackups(root);
  return { reason: `${MISMATCHES[mismatch]} No backup is removed meanwhile.`, ofOthers: 0 };
}

/**
 * Removes the backups that are no longer needed (see `surplusBackups`), and the rows and photographs that no remaining
 * backup refers to. Backups of another database than the newest one's are kept. Nothing is removed after a failed
 * verification, or if a file that a backup needs can't be read. Other files in the folder are left alone.
 * @param zone the time zone that defines a day
 * @throws FolderBusy if another process is using the folder
 */
export async function thinBackups(root: string, zone: string = serverZone()): Promise<Thinning> {
  const folder = new BackupFolder(root);
  return folder.locked(async () => {
    const { found, unreadable } = await folder.backups();
    const { own, others } = await splitBackupsByDatabase(folder, found);
    const reason =
      unreadable.length > 0
        ? `${unreadable.join(', ')} can’t be read as a manifest. No backup is removed until it is repaired or deleted.`
        : await thin(folder, { own, others, zone });
    return { reason, ofOthers: others.length };
  });
}

async function thin(
  folder: BackupFolder,
  { own, others, zone }: SeparatedBackups & { readonly zone: string },
): Promise<string | null> {
  if (hasFailedVerification(own)) return 'The last verification failed. No backup is removed until one passes.';
  const surplus = new Set(surplusBackups(own, zone));
  const kept = [...own.filter(({ stamp }) => !surplus.has(stamp)), ...others];
  const referenced = new Set<string>();
  for (const { manifest } of kept) {
    for (const listed of photographLists(manifest)) {
      const fault = await listedFileFault(folder, listed);
      if (fault !== null) return `${fault} No backup is removed until it is repaired, or its manifest is deleted.`;
    }
    for await (const { path } of readPhotographs(folder, manifest)) referenced.add(path);
  }
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

/** @param referenced the paths of the photographs that a remaining backup has */
async function removePhotographs(folder: BackupFolder, referenced: ReadonlySet<string>): Promise<void> {
  for (const couple of await namesIn(folder.path('photos'))) {
    await removeUnreferenced(folder.path(join('photos', couple)), referenced, (file) =>
      isStoredName(`${couple}/${file}`),
    );
  }
  await removeUnreferenced(folder.path(CHANGED), referenced, (file) => /^[0-9a-f]{64}$/.test(file));
}

async function removeUnreferenced(
  path: string,
  referenced: ReadonlySet<string>,
  isOfBackup: (file: string) => boolean,
): Promise<void> {
  const isSurplus = (file: string) =>
    isOfBackup(file.replace(/\.part$/, '')) && (file.endsWith('.part') || !referenced.has(join(path, file)));
  await removeDurably(path, (await namesIn(path)).filter(isSurplus));
}
