import type { Manifest } from '../../manifest.ts';
import { oldestFirst } from '../../surplus-backups.ts';
import { listedFileFault } from './backup-contents.ts';
import type { BackupFolder, FoundBackup } from './backup-folder.ts';
import { readRows } from './table-rows.ts';

/** The backups of a folder, by whether they are of the same database as the newest one. */
export interface SeparatedBackups {
  readonly own: readonly FoundBackup[];
  readonly others: readonly FoundBackup[];
}

/**
 * Separates the backups of the newest one's database from those of others. A restored database has a new id, and older
 * versions wrote none. So a backup belongs to the same database if it has its id, or a couple in common with it, or no
 * couple at all. One whose couples can't be read counts as another's.
 */
export async function splitBackupsByDatabase(
  folder: BackupFolder,
  found: readonly FoundBackup[],
): Promise<SeparatedBackups> {
  const [newest, ...older] = oldestFirst(found).toReversed();
  if (newest === undefined) return { own: [], others: [] };
  const { database } = newest.manifest;
  const couples = await couplesOf(folder, newest.manifest);
  const [own, others]: [FoundBackup[], FoundBackup[]] = [[newest], []];
  for (const backup of older) {
    const hasSameId = database !== null && backup.manifest.database === database;
    const theirs = hasSameId ? null : await couplesOf(folder, backup.manifest);
    const isRelated = theirs?.size === 0 || (couples !== null && theirs?.isDisjointFrom(couples) === false);
    (hasSameId || isRelated ? own : others).push(backup);
  }
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
