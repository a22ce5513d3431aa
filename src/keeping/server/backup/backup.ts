import { join } from 'node:path';
import type { Db } from '../../../base/server/db/db.ts';
import { BACKED_UP_TABLES } from '../../../base/server/db/table-policies.ts';
import type { MemoriesTable, Tables } from '../../../base/server/db/tables.ts';
import { FileMissing, type Files } from '../../../base/server/files/files.ts';
import { formatInstant } from '../../../base/time.ts';
import { storedName } from '../../../memories/server/names.ts';
import type { BackupPhotograph, ListedFile, Manifest } from '../../manifest.ts';
import { digestOfFile, sameDigest, writeDurably } from '../durable-file.ts';
import { memoryExists } from '../integrity/damaged-file-store.ts';
import { BackupError } from './backup-error.ts';
import { BackupFolder, stampOf } from './backup-folder.ts';
import { BackupLock } from './backup-lock.ts';
import { readRows, rowsOf, toLine } from './table-rows.ts';

/** What is backed up. */
export interface BackupSource {
  readonly db: Db;
  readonly files: Files;
  /** The migration up to which the database has come. */
  readonly migration: string;
  readonly now: () => number;
  /** Whether it is to be broken off. */
  readonly isStopped?: () => boolean;
}

/** What became of a backup. */
export interface BackupReport {
  readonly manifest: Manifest;
  /** Photographs that were not in the folder yet. */
  readonly copied: number;
}

/** A photograph deleted for good between the look at the tables and its copy makes the look worthless: so often. */
const MAX_ATTEMPTS = 5;

/**
 * Backs everything up into a folder while the app runs: first all tables as they are at one moment, then the
 * photographs that they name and the folder does not have yet, at last the manifest. Whatever fails before that leaves
 * the backups that were there as they were, and nothing is ever removed here (see `thinBackups`). Photographs never
 * change, so one that lies there with its size and hash is not copied again.
 * @throws FolderBusy where another backup into the folder is under way
 */
export async function backUp(source: BackupSource, root: string): Promise<BackupReport> {
  const folder = new BackupFolder(root);
  const lock = await BackupLock.take(root);
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const report = await tryBackUp(source, folder, lock);
      if (report !== null) return report;
    }
    throw new BackupError('Photographs were deleted faster than they could be copied. Please try again later.');
  } finally {
    await lock.release();
  }
}

/** One backup, published; null where a photograph that its rows name was deleted for good meanwhile. */
async function tryBackUp(source: BackupSource, folder: BackupFolder, lock: BackupLock): Promise<BackupReport | null> {
  const createdAt = formatInstant(await folder.freeInstant(source.now()));
  try {
    const report = await write(source, folder, createdAt);
    if (report !== null) {
      await lock.assertHeld();
      await folder.publish(report.manifest);
      return report;
    }
  } catch (error) {
    // A try each hour would fill the disk with rows of backups that never were.
    await folder.discard(stampOf(createdAt)).catch(() => undefined);
    throw error;
  }
  await folder.discard(stampOf(createdAt));
  return null;
}

/** Writes the rows and photographs of a backup, and answers its manifest, which is not written yet. */
async function write(source: BackupSource, folder: BackupFolder, createdAt: string): Promise<BackupReport | null> {
  const place = join('tables', stampOf(createdAt));
  const tables: (ListedFile & { table: string })[] = [];
  await source.db.snapshot(async (reader) => {
    for (const table of BACKED_UP_TABLES) {
      const rows = rowsOf(reader, table);
      tables.push({ table, ...(await writeLines(folder, join(place, `${table}.jsonl`), table, rows)) });
    }
  });
  const memories = tables.find(({ table }) => table === 'memories');
  if (!memories) throw new Error('A backup without memories');
  const copies = new PhotographCopier(source, folder);
  const photographs = await writeLines(
    folder,
    join(place, 'photographs.jsonl'),
    'photographs',
    copies.of(readRows(folder.path(memories.file)) as AsyncIterable<MemoriesTable>),
  );
  if (copies.isStale) return null;
  const manifest: Manifest = {
    ...{ format: 'our-love-story backup', version: 1, createdAt, sequence: await folder.nextSequence() },
    ...{ engine: source.db.engine, migration: source.migration },
    ...{ tables, photographs: { ...photographs, totalBytes: copies.totalBytes }, damaged: copies.damaged },
    verification: null,
  };
  return { manifest, copied: copies.copied };
}

async function writeLines(
  folder: BackupFolder,
  file: string,
  table: string,
  rows: AsyncIterable<object>,
): Promise<ListedFile> {
  let count = 0;
  const lines = async function* () {
    for await (const row of rows) {
      count += 1;
      yield toLine(table, row as Readonly<Record<string, unknown>>);
    }
  };
  const written = await writeDurably(folder.path(file), () => inChunks(lines()));
  if (written === null) throw new Error('Written, and not kept');
  return { file: file.replaceAll('\\', '/'), rows: count, ...written };
}

/** Lines gathered to pieces of some size: a write for each would be dear. */
async function* inChunks(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let bytes = 0;
  for await (const line of lines) {
    gathered.push(line);
    bytes += line.length;
    if (bytes < 256 * 1024) continue;
    yield Buffer.concat(gathered);
    gathered = [];
    bytes = 0;
  }
  yield Buffer.concat(gathered);
}

/** The copying of photographs, and what came of it. */
class PhotographCopier {
  copied = 0;
  totalBytes = 0;
  readonly damaged: string[] = [];
  /** A photograph was deleted for good meanwhile: the look at the tables is no longer true. */
  isStale = false;
  readonly #source: BackupSource;
  readonly #folder: BackupFolder;

  constructor(source: BackupSource, folder: BackupFolder) {
    this.#source = source;
    this.#folder = folder;
  }

  /** Sees to it that these memories' originals lie in the folder; tells of each that does. */
  async *of(memories: AsyncIterable<MemoriesTable>): AsyncGenerator<BackupPhotograph> {
    for await (const memory of memories) {
      if (this.isStale) continue;
      if (this.#source.isStopped?.()) throw new BackupError('The backup was broken off.');
      const name = storedName(memory.coupleId, memory.fileName, 'original');
      const photograph = { name, bytes: memory.fileSizeBytes, sha256: memory.sha256 };
      if (await this.#isThere(photograph, memory)) {
        this.totalBytes += photograph.bytes;
        yield photograph;
      } else if (!this.isStale) this.damaged.push(name);
    }
  }

  async #isThere(photograph: BackupPhotograph, memory: MemoriesTable): Promise<boolean> {
    const path = this.#folder.photo(photograph.name);
    const found = await digestOfFile(path);
    if (found !== null && sameDigest(found, photograph)) return true;
    try {
      const read = () => this.#source.files.read(photograph.name);
      if ((await writeDurably(path, read, photograph)) === null) return false;
      this.copied += 1;
      return true;
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
      this.isStale = !(await memoryExists(this.#source.db.read, memory.coupleId, memory.id));
      return false;
    }
  }
}

/** Whether a table of a backup is one that backups hold: no backup brings a session back. */
export function isBackedUpTable(table: string): table is keyof Tables {
  return (BACKED_UP_TABLES as readonly string[]).includes(table);
}
