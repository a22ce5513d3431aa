import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileLock, lockFile } from '../../../base/server/file-lock.ts';

const PREFIX = 'our-love-story-verify-';
const LOCK_NAME = 'verify.lock';

/** Provides a temporary folder while `work` runs. Removes those that killed processes left, which may be large. */
export async function withVerificationFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  await removeLeftFolders();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  let lock: FileLock | null = null;
  try {
    lock = lockFile(join(folder, LOCK_NAME));
    return await work(folder);
  } finally {
    lock?.release();
    await rm(folder, { recursive: true, force: true });
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
  if (lock === null) return;
  // Windows removes no open file.
  lock.release();
  await rm(folder, { recursive: true, force: true });
}
