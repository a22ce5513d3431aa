import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { alreadyExists, FILE_MODE, FOLDER_MODE, isMissing } from '../../../base/server/files/local.ts';
import { HOUR, MINUTE } from '../../../base/time.ts';
import { FolderBusy } from './backup-error.ts';

/** How often the owner touches the lock file. */
const TOUCH_EVERY_MS = MINUTE;
const DEAD_AFTER_MS = 15 * MINUTE;
const LOCK_FILE = '.at-work';

/** Owner ids of the locks that this process holds. */
const held = new Set<string>();

/** A lock file. Only its owner may write manifests into a backup folder, or remove anything from it. */
export class BackupLock {
  readonly #path: string;
  readonly #owner: string;
  readonly #touching: NodeJS.Timeout;

  private constructor(path: string, owner: string) {
    this.#path = path;
    this.#owner = owner;
    held.add(owner);
    this.#touching = setInterval(() => {
      // If this fails for fifteen minutes, another process may take the lock, and `assertHeld` throws.
      this.#touch().catch(() => undefined);
    }, TOUCH_EVERY_MS);
    this.#touching.unref();
  }

  /** @throws FolderBusy if the lock is held, by another process or this one */
  static async take(root: string): Promise<BackupLock> {
    await mkdir(root, { recursive: true, mode: FOLDER_MODE });
    const path = join(root, LOCK_FILE);
    if (await isDead(path)) await rm(path, { force: true });
    const owner = randomUUID();
    try {
      const file = await open(path, 'wx', FILE_MODE);
      try {
        await file.writeFile(JSON.stringify({ host: hostname(), pid: process.pid, owner }));
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      } finally {
        await file.close();
      }
    } catch (error) {
      if (!alreadyExists(error)) throw error;
      throw new FolderBusy('Another backup into this folder is running.');
    }
    return new BackupLock(path, owner);
  }

  /** @throws FolderBusy if this process slept so long that another one took the lock */
  async assertHeld(): Promise<void> {
    if (!(await this.#isMine())) throw new FolderBusy('Another backup took over this folder.');
  }

  async release(): Promise<void> {
    clearInterval(this.#touching);
    held.delete(this.#owner);
    // An error here must not hide an earlier one. An abandoned lock expires.
    if (await this.#isMine().catch(() => false)) await rm(this.#path, { force: true });
  }

  async #touch(): Promise<void> {
    const now = new Date();
    if (await this.#isMine()) await utimes(this.#path, now, now);
  }

  async #isMine(): Promise<boolean> {
    return (await readOwner(this.#path))?.owner === this.#owner;
  }
}

type Owner = { host: string; pid: number; owner?: string };

/** Reads the lock file; null if there is none, or it is being written. */
async function readOwner(path: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether the lock is abandoned: its process on this machine is gone, or nobody touched it for fifteen minutes. */
async function isDead(path: string): Promise<boolean> {
  try {
    const age = Date.now() - (await stat(path)).mtimeMs;
    // A time in the future means that a clock was wrong.
    if (age > DEAD_AFTER_MS || age < -HOUR) return true;
    const owner = await readOwner(path);
    if (owner === null || owner.host !== hostname()) return false;
    // After a restart in a container, the process may have the same id again.
    return owner.pid === process.pid ? !held.has(owner.owner ?? '') : !isAlive(owner.pid);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
