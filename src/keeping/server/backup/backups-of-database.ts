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
 * versions wrote none. So a backup belongs to the same database if it has the id of one that does, or a couple in common
 * with one, or no couple at all. One whose couples can't be read counts as another's.
 */
export async function separateDatabases(
  folder: BackupFolder,
  found: readonly FoundBackup[],
): Promise<SeparatedBackups> {
  const [newest, ...older] = oldestFirst(found).toReversed();
  if (newest === undefined) return { own: [], others: [] };
  const { database } = newest.manifest;
  // The usual case.
  if (database !== null && older.every(({ manifest }) => manifest.database === database))
    return { own: found, others: [] };
  const own = [newest];
  const ids = new Set([database]);
  const couples = new Set(await couplesOf(folder, newest.manifest));
  let others: { backup: FoundBackup; theirs: ReadonlySet<string> | null }[] = [];
  for (const backup of older) others.push({ backup, theirs: await couplesOf(folder, backup.manifest) });
  const isOwn = ({ backup: { manifest }, theirs }: (typeof others)[number]) =>
    (manifest.database !== null && ids.has(manifest.database)) ||
    (theirs !== null && (theirs.size === 0 || !couples.isDisjointFrom(theirs)));
  // Each one found may connect others: of a restored database, whose couple has deleted its space since.
  for (let more = others.filter(isOwn); more.length > 0; more = others.filter(isOwn)) {
    for (const { backup, theirs } of more) {
      own.push(backup);
      ids.add(backup.manifest.database);
      for (const id of theirs ?? []) couples.add(id);
    }
    others = others.filter((one) => !more.includes(one));
  }
  return { own, others: others.map(({ backup }) => backup) };
}

/** The ids of a backup's couples; null if they can't be read. */
async function couplesOf(folder: BackupFolder, { tables }: Manifest): Promise<ReadonlySet<string> | null> {
  const listed = tables.find(({ table }) => table === 'couples');
  if (listed === undefined || (await listedFileFault(folder, listed)) !== null) return null;
  const ids = new Set<string>();
  for await (const { id } of readRows(folder.path(listed.file))) ids.add(String(id));
  return ids;
}
