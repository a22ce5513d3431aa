import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A loop-mounted ext4 file system. Its image file lacks unflushed writes, as a disk does after a power cut. */
export interface LoopDisk {
  readonly folder: string;
  readonly image: string;
  /** Copies the image without flushing and mounts the copy: the disk as after a power cut at this moment. */
  cutPower(): Promise<LoopDisk>;
  remove(): Promise<void>;
}

/** Whether loop mounts work: they need Linux, root, a free loop device, and ext4 tools. */
export const canLoop = process.platform === 'linux' && process.getuid?.() === 0 && (await tryLoopMount());

async function tryLoopMount(): Promise<boolean> {
  try {
    await (await openLoopDisk(8)).remove();
    return true;
  } catch {
    return false;
  }
}

/** Creates and mounts an empty disk, with its image in `home`. */
export async function openLoopDisk(megabytes: number, home = tmpdir()): Promise<LoopDisk> {
  const parent = await mkdtemp(join(home, 'our-love-story-loop-'));
  const image = join(parent, 'image');
  const file = await open(image, 'w');
  await file.truncate(megabytes * 1024 * 1024);
  await file.close();
  run('mkfs.ext4', ['-q', '-F', '-b', '4096', image]);
  return mountImage(parent, image);
}

async function mountImage(parent: string, image: string): Promise<LoopDisk> {
  const folder = await mkdtemp(join(parent, 'mounted-'));
  run('mount', ['-o', 'loop', image, folder]);
  return {
    folder,
    image,
    cutPower: async () => {
      const copyParent = await mkdtemp(join(tmpdir(), 'our-love-story-loop-'));
      const copy = join(copyParent, 'image');
      await copyFile(image, copy);
      return mountImage(copyParent, copy);
    },
    remove: async () => {
      spawnSync('umount', ['-l', folder]);
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** Runs a program. Returns what it prints. @throws Error if it fails */
export function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`);
  return stdout;
}
