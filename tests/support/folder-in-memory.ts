import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './process-signals.ts';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** Far more than the data of a test run takes. */
const ENOUGH = 2 ** 32;

/** How the names of the folders begin. They go on with the id of the process that makes one. */
const FOLDER = 'our-love-story-run-';
const OWNER = new RegExp(`^${FOLDER}(\\d+)-`);

/** Creates a folder in memory, where no write waits for a disk; null if there is no room. */
export async function createFolderInMemory(): Promise<string | null> {
  const there = await statfs(MEMORY).catch(() => null);
  if (there === null) return null;
  await removeAbandoned(MEMORY);
  if (there.bavail * there.bsize < ENOUGH || freemem() < ENOUGH) return null;
  const folder = await mkdtemp(join(MEMORY, `${FOLDER}${process.pid}-`));
  // PostgreSQL may run as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  return folder;
}

/** Removes the folders of processes that were killed. In memory they would stay forever. */
export async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const owner = OWNER.exec(name)?.[1];
    if (owner === undefined || isRunning(Number(owner))) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
}
