import type { Db } from '../../../base/server/db/db.ts';
import type { MemoriesTable } from '../../../base/server/db/tables/tables.ts';
import { digestOf, digestOfFile, isSameDigest } from '../../../base/server/files/digest.ts';
import { FileMissing, type Files } from '../../../base/server/files/files.ts';
import { readStored } from '../../../base/server/files/read-stored.ts';
import { writeDurably } from '../../../base/server/files/write-durably.ts';
import { storedName } from '../../../memories/server/stored-names.ts';
import type { BackupPhotograph } from '../../manifest.ts';
import { hasMemory } from '../integrity/scrub-store.ts';
import { BackupError } from './backup-error.ts';
import type { BackupFolder } from './backup-folder.ts';

/** What the copier needs of a backup's source. */
interface CopySource {
  readonly db: Pick<Db, 'read'>;
  readonly files: Pick<Files, 'read' | 'isFaultOfFile'>;
  readonly isStopped?: () => boolean;
}

/** Copies photographs into the folder and counts the results. */
export class PhotographCopier {
  /** How many files were copied; the folder had the others. */
  copied = 0;
  /** The size of all good copies, in bytes. */
  totalBytes = 0;
  /** Names of the photographs of which the folder has no good copy. */
  readonly damaged: string[] = [];
  /** Those of the damaged ones that the folder has as they are. */
  readonly changed: BackupPhotograph[] = [];
  /** Whether a photograph was purged since the tables' snapshot was taken: then the backup begins again. */
  isSnapshotStale = false;
  readonly #source: CopySource;
  readonly #folder: BackupFolder;

  constructor(source: CopySource, folder: BackupFolder) {
    this.#source = source;
    this.#folder = folder;
  }

  /** Copies these memories' originals if needed, and yields each one of which the folder has a good copy. */
  async *copyAll(memories: AsyncIterable<MemoriesTable>): AsyncGenerator<BackupPhotograph> {
    for await (const memory of memories) {
      if (this.isSnapshotStale) continue;
      if (this.#source.isStopped?.()) throw new BackupError('The backup was interrupted.');
      const name = storedName(memory.coupleId, memory.fileName, 'original');
      const photograph = { name, bytes: memory.fileSizeBytes, sha256: memory.sha256 };
      if (await this.#ensureCopied(photograph, memory)) {
        this.totalBytes += photograph.bytes;
        yield photograph;
      } else if (!this.isSnapshotStale) {
        this.damaged.push(name);
        const changed = await this.#keepChanged(name);
        if (changed !== null) this.changed.push(changed);
      }
    }
  }

  /** Copies an original unless the folder has it. Returns whether the folder now has a good copy. */
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
      this.isSnapshotStale = !(await hasMemory(this.#source.db.read, memory.coupleId, memory.id));
      return false;
    }
  }

  /** Keeps a damaged photograph as the store has it. Returns null if it has none. */
  async #keepChanged(name: string): Promise<BackupPhotograph | null> {
    const read = () => readStored(this.#source.files, name);
    try {
      const digest = await digestOf(read());
      // A failing disk may give other bytes the second time.
      if ((await writeDurably(this.#folder.changed(digest), read, digest)) === null) return null;
      this.copied += 1;
      return { name, ...digest };
    } catch (error) {
      if (error instanceof FileMissing) return null;
      throw error;
    }
  }
}
