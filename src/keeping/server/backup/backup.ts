import { join } from 'node:path';
import { formatInstant } from '../../../base/instants.ts';
import type { Db } from '../../../base/server/db/db.ts';
import { columnsAfterMigration } from '../../../base/server/db/tables/columns-after-migration.ts';
import { BACKED_UP_TABLES } from '../../../base/server/db/tables/table-policies.ts';
import type { MemoriesTable } from '../../../base/server/db/tables/tables.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { inChunks } from '../../../base/server/files/in-chunks.ts';
import { databaseId } from '../../../base/server/files/store-identity.ts';
import { writeDurably } from '../../../base/server/files/write-durably.ts';
import { type ListedFile, type Manifest, rowsIn } from '../../manifest.ts';
import { oldestFirst } from '../../surplus-backups.ts';
import { BackupError } from './backup-error.ts';
import { BackupFolder, stampOf } from './backup-folder.ts';
import { PhotographCopier } from './photograph-copier.ts';
import { readRows, rowsOf, toLine } from './table-rows.ts';

/** What to back up, and how. */
export interface BackupSource {
  readonly db: Db;
  readonly files: Files;
  /** The last migration of this version that was applied to the database. What newer ones added is left out. */
  readonly migration: string;
  readonly now: () => number;
  /** Whether to abort. */
  readonly isStopped?: () => boolean;
}

/** The result of a backup. */
export interface BackupReport {
  readonly manifest: Manifest;
  /** How many photographs were copied; the others were already in the folder. */
  readonly copied: number;
  /** Names of the damaged photographs that the backup has as they are. */
  readonly changed: ReadonlySet<string>;
}

/** A photograph that is purged between reading the tables and copying it makes the attempt stale. */
const MAX_ATTEMPTS = 5;

/**
 * Backs everything up into a folder while the app runs: all tables in one snapshot, then the photographs that the folder
 * doesn't have yet, and the manifest last. A failure before the manifest leaves earlier backups untouched. Nothing is
 * removed here (see `thinBackups`). Photographs never change, so one with the right size and hash isn't copied again.
 * One that is damaged all the same is backed up as it is, apart from the others.
 * @throws FolderBusy if another backup into the folder is running
 * @throws BackupError if it was aborted, or photographs were deleted in every attempt
 */
export async function backUp(source: BackupSource, root: string): Promise<BackupReport> {
  const folder = new BackupFolder(root);
  return folder.locked(async () => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const report = await tryBackUp(source, folder);
      if (report !== null) return report;
    }
    throw new BackupError('Photographs were deleted faster than they could be copied. Please try again later.');
  });
}

/** Makes and publishes one backup; null if a photograph in its rows was purged before it could be copied. */
async function tryBackUp(source: BackupSource, folder: BackupFolder): Promise<BackupReport | null> {
  const createdAt = formatInstant(await folder.freeInstant(source.now()));
  try {
    const report = await write(source, folder, createdAt);
    if (report !== null) {
      await folder.publish(report.manifest);
      return report;
    }
  } catch (error) {
    // Hourly retries would fill the disk with the rows of failed backups.
    await folder.discard(stampOf(createdAt)).catch(() => undefined);
    throw error;
  }
  await folder.discard(stampOf(createdAt));
  return null;
}

/** Writes the rows and photographs of a backup. Returns its manifest, which isn't written yet; null if it is stale. */
async function write(source: BackupSource, folder: BackupFolder, createdAt: string): Promise<BackupReport | null> {
  const tablesFolder = join('tables', stampOf(createdAt));
  const tables: (ListedFile & { table: string })[] = [];
  const columns = await columnsAfterMigration(source.migration);
  const database = columns.has('storeIdentity') ? await databaseId(source.db) : null;
  await source.db.snapshot(async (reader) => {
    for (const table of BACKED_UP_TABLES) {
      const rows = rowsOf(reader, table, columns.get(table) ?? []);
      tables.push({ table, ...(await writeLines(folder, join(tablesFolder, `${table}.jsonl`), table, rows)) });
    }
  });
  if (tables.every(({ table, rows }) => table !== 'couples' || rows === 0))
    await assertNoneHasCouples(folder, database);
  const memories = tables.find(({ table }) => table === 'memories');
  if (!memories) throw new Error('A backup without memories');
  const copies = new PhotographCopier(source, folder);
  const photographs = await writeLines(
    folder,
    join(tablesFolder, 'photographs.jsonl'),
    'photographs',
    copies.copyAll(readRows(folder.path(memories.file)) as AsyncIterable<MemoriesTable>),
  );
  if (copies.isSnapshotStale) return null;
  const changed =
    copies.changed.length === 0
      ? null
      : await writeLines(folder, join(tablesFolder, 'changed.jsonl'), 'changed', copies.changed);
  const manifest: Manifest = {
    format: 'our-love-story backup',
    version: 1,
    createdAt,
    sequence: await folder.nextSequence(),
    engine: source.db.engine,
    database,
    migration: source.migration,
    tables,
    photographs: { ...photographs, totalBytes: copies.totalBytes },
    damaged: copies.damaged,
    changed,
    verification: null,
  };
  return { manifest, copied: copies.copied, changed: new Set(copies.changed.map(({ name }) => name)) };
}

/**
 * An empty database beside the backups of an album is mostly a new one in the place of a lost one. A backup of it would be
 * the newest, and the first that a restore takes. In the database that made them, the couple has deleted its space.
 * @throws BackupError if the newest backup with a couple is of another database, or a backup can't be read
 */
async function assertNoneHasCouples(folder: BackupFolder, database: string | null): Promise<void> {
  const { found, unreadable } = await folder.backups();
  const album = oldestFirst(found).findLast(({ manifest }) => rowsIn(manifest, 'couples') > 0);
  const isOwn = album === undefined || (database !== null && album.manifest.database === database);
  if (unreadable.length === 0 && isOwn) return;
  throw new BackupError(
    `The database has no couple, and ${folder.root} has the backups of an album. No backup is made beside them. ` +
      'If the album is lost, restore it; else give BACKUP_DIR another folder.',
  );
}

async function writeLines(
  folder: BackupFolder,
  file: string,
  table: string,
  rows: AsyncIterable<object> | Iterable<object>,
): Promise<ListedFile> {
  let count = 0;
  const lines = async function* () {
    for await (const row of rows) {
      count += 1;
      yield toLine(table, row as Readonly<Record<string, unknown>>);
    }
  };
  const written = await writeDurably(folder.path(file), () => inChunks(lines()));
  if (written === null) throw new Error(`${file} was written but not kept`);
  return { file: file.replaceAll('\\', '/'), rows: count, ...written };
}
