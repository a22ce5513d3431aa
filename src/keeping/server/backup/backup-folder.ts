import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatInstant } from '../../../base/instants.ts';
import { codeOf } from '../../../base/server/db/faults.ts';
import type { FileDigest } from '../../../base/server/files/digest.ts';
import { isStoredName } from '../../../base/server/files/files.ts';
import { flushFolder } from '../../../base/server/files/flush.ts';
import { isMissing } from '../../../base/server/files/missing-or-unreadable.ts';
import { FOLDER_MODE } from '../../../base/server/files/private-files.ts';
import { makeDurableFolder, writeDurably } from '../../../base/server/files/write-durably.ts';
import { lockFile } from '../../../base/server/process/file-lock.ts';
import { type Manifest, manifest } from '../../manifest.ts';
import type { RetainedBackup } from '../../surplus-backups.ts';
import { BackupError, FolderBusy } from './backup-error.ts';

const MANIFEST = 'manifest.json';
const LOCK = 'backup.lock';
/** The folder of the photographs that had changed before they were backed up. */
export const CHANGED = 'changed';
/** Far more than a manifest needs. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/** A backup found in the folder. */
export interface FoundBackup extends RetainedBackup {
  readonly manifest: Manifest;
  /** Path of its manifest, relative to the folder. */
  readonly file: string;
}

/**
 * A folder of backups:
 * `manifest.json` is the newest, `earlier/<stamp>.json` those before it, `tables/<stamp>/<table>.jsonl` the rows of
 * each, and `photos/<coupleId>/<fileName>` the photographs, which never change and are shared by all backups. Of those
 * that had changed before they were backed up, `changed/<sha256>` has each version: none replaces another, or a good one.
 * Callers that write or remove manifests must hold its lock.
 */
export class BackupFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /**
   * Runs `work` while no other process, and no other work of this one, writes manifests into the folder or removes anything
   * from it. The operating system releases the lock when the process ends.
   * @throws FolderBusy if it is locked
   */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    await mkdir(this.root, { recursive: true, mode: FOLDER_MODE });
    const lock = lockFile(this.path(LOCK));
    if (lock === null) throw new FolderBusy('Another backup into this folder is running.');
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  path(file: string): string {
    return join(this.root, file);
  }

  photo(name: string): string {
    if (!isStoredName(name)) throw new BackupError(`The backup lists an invalid photograph name: ${name}`);
    return join(this.root, 'photos', name);
  }

  /** The path of a photograph that had changed before it was backed up. */
  changed({ sha256 }: FileDigest): string {
    return join(this.root, CHANGED, sha256);
  }

  /**
   * Reads the manifest of the newest backup, or of the one with this stamp; null if there is none.
   * @throws BackupError if it can't be read
   */
  async manifest(stamp: string | null = null): Promise<Manifest | null> {
    if (stamp === null) return this.#read(MANIFEST);
    const named = isStamp(stamp) ? await this.#read(join('earlier', `${stamp}.json`)) : null;
    if (named !== null) return named;
    const newest = await this.#read(MANIFEST);
    return newest !== null && stampOf(newest.createdAt) === stamp ? newest : null;
  }

  /** Lists every backup, and the manifests that can't be read. The newest has the highest sequence. */
  async backups(): Promise<{ found: FoundBackup[]; unreadable: string[] }> {
    const found: FoundBackup[] = [];
    const unreadable: string[] = [];
    const earlier = (await this.earlier()).map((stamp) => ({ stamp, file: join('earlier', `${stamp}.json`) }));
    for (const { stamp, file } of [...earlier, { stamp: null, file: MANIFEST }]) {
      try {
        const one = await this.#read(file);
        if (one === null) continue;
        const sequence =
          stamp === null ? Math.max(one.sequence, ...found.map((other) => other.sequence + 1)) : one.sequence;
        const createdAt = Date.parse(one.createdAt);
        const isWhole = one.verification?.isWhole ?? null;
        found.push({ manifest: one, file, stamp: stamp ?? stampOf(one.createdAt), sequence, createdAt, isWhole });
      } catch {
        unreadable.push(file);
      }
    }
    // A process that died while publishing may have left the newest among the earlier ones too.
    const newest = found.find(({ file }) => file === MANIFEST);
    return { found: found.filter((one) => one === newest || one.stamp !== newest?.stamp), unreadable };
  }

  /**
   * Publishes a backup as the newest and moves the previous manifest to `earlier`. An unreadable manifest is moved aside,
   * so that it doesn't block later backups.
   */
  async publish(next: Manifest): Promise<void> {
    const path = this.path(MANIFEST);
    const earlier = (stamp: string) => this.path(join('earlier', `${stamp}.json`));
    const before = await this.#read(MANIFEST).catch(() => 'unreadable' as const);
    if (before === 'unreadable') {
      const at = await this.freeInstant(Math.floor((await stat(path)).mtimeMs));
      await makeDurableFolder(this.path('earlier'));
      await rename(path, earlier(stampOf(formatInstant(at))));
    } else if (before !== null) {
      const bytes = await readFile(path);
      await writeDurably(earlier(stampOf(before.createdAt)), () => [bytes]);
    }
    await this.#write(MANIFEST, next);
  }

  /** Returns this instant, or the next one whose stamp isn't taken, in case the clock was set back. */
  async freeInstant(at: number): Promise<number> {
    const taken = new Set([...(await namesIn(this.path('tables'))), ...(await this.earlier())]);
    let free = at;
    while (taken.has(stampOf(formatInstant(free)))) free += 1;
    return free;
  }

  /** Returns the sequence of the next backup. */
  async nextSequence(): Promise<number> {
    const { found } = await this.backups();
    return 1 + Math.max(0, ...found.map(({ sequence }) => sequence));
  }

  /** Records a verification in a backup's manifest. It's no error if the backup is gone. */
  async recordVerification(stamp: string, verification: NonNullable<Manifest['verification']>): Promise<void> {
    const { found } = await this.backups();
    const backup = found.find((one) => one.stamp === stamp);
    if (backup) await this.#write(backup.file, { ...backup.manifest, verification });
  }

  /** Lists the stamps of the earlier backups, sorted. */
  async earlier(): Promise<string[]> {
    const names = (await namesIn(this.path('earlier'))).filter((name) => name.endsWith('.json'));
    return names
      .map((name) => name.slice(0, -5))
      .filter(isStamp)
      .sort();
  }

  /** Removes the rows of a backup, unless it was published. */
  async discard(stamp: string): Promise<void> {
    if ((await this.manifest(stamp)) !== null) return;
    await rm(this.path(join('tables', stamp)), { recursive: true, force: true });
  }

  async #read(file: string): Promise<Manifest | null> {
    const path = this.path(file);
    try {
      if ((await stat(path)).size > MAX_MANIFEST_BYTES) throw new Error('too large');
      return manifest.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      if (isMissing(error)) return null;
      const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      throw new BackupError(`${path} isn’t a backup manifest that this version can read${reason}.`);
    }
  }

  async #write(file: string, content: Manifest): Promise<void> {
    await writeDurably(this.path(file), () => [Buffer.from(`${JSON.stringify(content, null, 2)}\n`)]);
  }
}

/** Makes a backup's name from its instant, without characters that some file systems refuse. */
export function stampOf(createdAt: string): string {
  return createdAt.replaceAll(/[:.]/g, '-');
}

/** Whether a name is the stamp of a backup. */
export function isStamp(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d-]+Z$/.test(name);
}

/** Lists the names in a folder; empty if it doesn't exist or isn't a folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error) || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

/** Removes files or folders of a folder, and flushes it, so that they stay removed after a power cut. */
export async function removeDurably(folder: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
  await flushFolder(folder);
}
