import type { Manifest } from '../../manifest.ts';
import { oldestFirst } from '../../retention.ts';
import type { BackupFolder, FoundBackup } from './backup-folder.ts';
import { listedFileFault } from './restore.ts';
import { readRows } from './table-rows.ts';

/** The backups of a folder, by whether they are of the same database as the newest one. */
export interface SeparatedBackups {
  readonly own: readonly FoundBackup[];
  readonly others: readonly FoundBackup[];
}

/**
 * Separates the backups of the newest one's database from those of others. A restored database has a new id, and older
 * versions wrote none, so a backup with another id belongs to the same database if they have a couple in common, or if
 * it has none. One whose couples can't be read counts as another's.
 */
export async function separateDatabases(
  folder: BackupFolder,
  found: readonly FoundBackup[],
): Promise<SeparatedBackups> {
  const newest = oldestFirst(found).at(-1)?.manifest;
  const own: FoundBackup[] = [];
  const others: FoundBackup[] = [];
  let couples: ReadonlySet<string> | null | undefined;
  const isOwn = async (manifest: Manifest) => {
    if (newest === undefined || manifest === newest) return true;
    if (manifest.database !== null && manifest.database === newest.database) return true;
    if (couples === undefined) couples = await couplesOf(folder, newest);
    const theirs = await couplesOf(folder, manifest);
    return couples !== null && theirs !== null && (theirs.size === 0 || !couples.isDisjointFrom(theirs));
  };
  for (const backup of found) ((await isOwn(backup.manifest)) ? own : others).push(backup);
  return { own, others };
}

/** The ids of a backup's couples; null if they can't be read. */
async function couplesOf(folder: BackupFolder, { tables }: Manifest): Promise<ReadonlySet<string> | null> {
  const listed = tables.find(({ table }) => table === 'couples');
  if (listed === undefined || (await listedFileFault(folder, listed)) !== null) return null;
  const ids = new Set<string>();
  for await (const { id } of readRows(folder.path(listed.file))) ids.add(String(id));
  return ids;
}
