import { createReadStream } from 'node:fs';
import type { Db } from '../../../base/server/db/db.ts';
import type { MemoriesTable } from '../../../base/server/db/tables/tables.ts';
import {
  digestOf,
  digestOfFile,
  type FileDigest,
  isSameDigest,
  writeDurably,
} from '../../../base/server/files/durable-file.ts';
import { FileMissing, type Files } from '../../../base/server/files/files.ts';
import { readStored } from '../../../base/server/files/stored-file.ts';
import { storedName } from '../../../memories/server/names.ts';
import type { BackupPhotograph } from '../../manifest.ts';
import { oldestFirst } from '../../surplus-backups.ts';
import { hasMemory } from '../integrity/damaged-file-store.ts';
import { listedFileFault, readPhotographList } from './backup-contents.ts';
import { BackupError } from './backup-error.ts';
import type { BackupFolder } from './backup-folder.ts';

/** Where photographs are read. */
type PhotographSource = Pick<Files, 'read' | 'isFaultOfFile'>;

/** What the copier needs of a backup's source. */
interface CopySource {
  readonly db: Pick<Db, 'read'>;
  readonly files: PhotographSource;
  readonly isStopped?: () => boolean;
}

/** Photographs by name. */
type Photographs = ReadonlyMap<string, BackupPhotograph>;

/** Reads which changed photographs the earlier backups have; of each, what the newest lists. */
export async function changedBefore(folder: BackupFolder): Promise<Photographs> {
  const changed = new Map<string, BackupPhotograph>();
  for (const { manifest } of oldestFirst((await folder.backups()).found)) {
    if (manifest.changed === null || (await listedFileFault(folder, manifest.changed)) !== null) continue;
    for await (const photograph of readPhotographList(folder, manifest.changed))
      changed.set(photograph.name, photograph);
  }
  return changed;
}

/** Copies photographs into the folder and counts the results. */
export class PhotographCopier {
  copied = 0;
  totalBytes = 0;
  /** Names of the photographs of which the folder has no good copy. */
  readonly damaged: string[] = [];
  /** Those of the damaged ones that the folder has as they are. */
  readonly changed: BackupPhotograph[] = [];
  /** Whether a photograph was purged since the tables were read. */
  isStale = false;
  readonly #source: CopySource;
  readonly #folder: BackupFolder;
  readonly #changedBefore: Photographs;

  constructor(source: CopySource, folder: BackupFolder, changed: Photographs) {
    this.#source = source;
    this.#folder = folder;
    this.#changedBefore = changed;
  }

  /** Copies these memories' originals if needed, and yields each one of which the folder has a good copy. */
  async *of(memories: AsyncIterable<MemoriesTable>): AsyncGenerator<BackupPhotograph> {
    for await (const memory of memories) {
      if (this.isStale) continue;
      if (this.#source.isStopped?.()) throw new BackupError('The backup was interrupted.');
      const name = storedName(memory.coupleId, memory.fileName, 'original');
      const photograph = { name, bytes: memory.fileSizeBytes, sha256: memory.sha256 };
      if (await this.#ensureCopied(photograph, memory)) {
        this.totalBytes += photograph.bytes;
        yield photograph;
      } else if (!this.isStale) {
        this.damaged.push(name);
        const changed = await this.#keepChanged(name);
        if (changed !== null) this.changed.push(changed);
      }
    }
  }

  async #ensureCopied(photograph: BackupPhotograph, memory: MemoriesTable): Promise<boolean> {
    const path = this.#folder.photo(photograph.name);
    const found = await digestOfFile(path);
    if (found !== null && isSameDigest(found, photograph)) return true;
    try {
      const read = () => readStored(this.#source.files, photograph.name);
      // A failing disk or store may give other bytes only once.
      const copied = (await writeDurably(path, read, photograph)) ?? (await writeDurably(path, read, photograph));
      if (copied === null) return false;
      this.copied += 1;
      return true;
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
      this.isStale = !(await hasMemory(this.#source.db.read, memory.coupleId, memory.id));
      return false;
    }
  }

  /**
   * Keeps a damaged photograph as it is: the copy of an earlier backup, since damage only grows; else what the store has;
   * else a copy of the folder that has changed. Returns null if there is nothing to keep.
   */
  async #keepChanged(name: string): Promise<BackupPhotograph | null> {
    const folder = this.#folder;
    const before = this.#changedBefore.get(name);
    const kept = before === undefined ? null : await digestOfFile(folder.changed(before));
    if (before !== undefined && kept !== null && isSameDigest(kept, before)) return before;
    for (const from of [this.#source.files, copiesIn(folder)]) {
      const digest = await this.#copyChanged(from, name);
      if (digest !== null) return { name, ...digest };
    }
    return null;
  }

  async #copyChanged(from: PhotographSource, name: string): Promise<FileDigest | null> {
    try {
      const digest = await digestOf(readStored(from, name));
      // A failing disk may give other bytes the second time.
      const copied = await writeDurably(this.#folder.changed(digest), () => readStored(from, name), digest);
      if (copied !== null) this.copied += 1;
      return copied;
    } catch (error) {
      if (error instanceof FileMissing) return null;
      throw error;
    }
  }
}

/** The photographs in the folder, read like those of a store. */
function copiesIn(folder: BackupFolder): PhotographSource {
  return {
    read: async (name) => {
      const path = folder.photo(name);
      if ((await digestOfFile(path)) === null) throw new FileMissing(path);
      return createReadStream(path);
    },
    isFaultOfFile: async () => false,
  };
}
