import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileLock, lockFile } from '../../../base/server/process/file-lock.ts';

const PREFIX = 'our-love-story-verify-';
const LOCK_NAME = 'verify.lock';

/** Provides a temporary folder while `work` runs. Removes those that killed processes left, which may be large. */
export async function withVerificationFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  await removeLeftFolders();
  const { folder, lock } = await makeLockedFolder();
  try {
    return await work(folder);
  } finally {
    await removeLocked(folder, lock);
  }
}

/** Makes a folder and locks it. Between the two, another process may take it for a left one and remove it. */
async function makeLockedFolder(): Promise<{ folder: string; lock: FileLock }> {
  for (;;) {
    const folder = await mkdtemp(join(tmpdir(), PREFIX));
    const path = join(folder, LOCK_NAME);
    try {
      const lock = lockFile(path);
      if (lock !== null && existsSync(path)) return { folder, lock };
      lock?.release();
    } catch (error) {
      if (existsSync(folder)) throw error;
    }
  }
}

/** Removes the folders that killed processes left. One that can't be removed fails nothing. */
export async function removeLeftFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    if (name.startsWith(PREFIX)) await removeIfLeft(join(tmpdir(), name)).catch(() => undefined);
  }
}

/** Without a lock's file, another process has just created the folder. */
async function removeIfLeft(folder: string): Promise<void> {
  const path = join(folder, LOCK_NAME);
  if (!existsSync(path) || (await stat(folder)).uid !== (process.getuid?.() ?? 0)) return;
  const lock = lockFile(path);
  if (lock !== null) await removeLocked(folder, lock);
}

/** Removes a folder before its lock is released, so that no other process can lock it meanwhile. */
async function removeLocked(folder: string, lock: FileLock): Promise<void> {
  try {
    // Another process that tries to lock it may put the lock's file back.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  } finally {
    lock.release();
  }
}
