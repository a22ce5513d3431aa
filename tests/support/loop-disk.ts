import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real file system in a file: what has not been flushed to it is not in the file, as after a power cut. */
export interface LoopDisk {
  readonly folder: string;
  /** The disk as it would be found if the power went now, mounted elsewhere. Nothing is flushed for it. */
  cutPower(): Promise<LoopDisk>;
  remove(): Promise<void>;
}

/** Whether this machine lets us: that takes root, a free loop device and the tools of ext4. */
export const canLoop = process.platform === 'linux' && process.getuid?.() === 0 && (await triesToLoop());

async function triesToLoop(): Promise<boolean> {
  try {
    await (await openLoopDisk(8)).remove();
    return true;
  } catch {
    return false;
  }
}

/** Makes an empty disk of so many megabytes. */
export async function openLoopDisk(megabytes: number): Promise<LoopDisk> {
  const place = await mkdtemp(join(tmpdir(), 'our-love-story-loop-'));
  const image = join(place, 'image');
  const file = await open(image, 'w');
  await file.truncate(megabytes * 1024 * 1024);
  await file.close();
  run('mkfs.ext4', ['-q', '-F', image]);
  return mountImage(place, image);
}

async function mountImage(place: string, image: string): Promise<LoopDisk> {
  const folder = await mkdtemp(join(place, 'mounted-'));
  run('mount', ['-o', 'loop', image, folder]);
  return {
    folder,
    cutPower: async () => {
      const later = await mkdtemp(join(tmpdir(), 'our-love-story-loop-'));
      const copy = join(later, 'image');
      await copyFile(image, copy);
      return mountImage(later, copy);
    },
    remove: async () => {
      spawnSync('umount', ['-l', folder]);
      await rm(place, { recursive: true, force: true });
    },
  };
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`);
}
