import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A tmpfs mounted on a temporary folder, which can be filled to the last byte. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills it completely. */
  fill(): Promise<void>;
  /** Frees the space again. */
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
}

/** Whether mounting works: it needs root on Linux. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryMount();

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'our-love-story-mount-'));
  const mounted = mount(folder, 1) === 0;
  if (mounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return mounted;
}

function mount(folder: string, megabytes: number): number | null {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status;
}

/** Mounts an empty disk. */
export async function openSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-disk-'));
  if (mount(folder, megabytes) !== 0) throw new Error('Could not mount the small disk');
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: async () => {
      const file = await open(ballast, 'a');
      try {
        // First in large blocks, at last byte by byte.
        for (const piece of [1 << 20, 4096, 1]) {
          while (await hasRoomFor(file, piece)) continue;
        }
      } finally {
        await file.close();
      }
    },
    makeRoom: () => rm(ballast, { force: true }),
    remove: async () => {
      spawnSync('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function hasRoomFor(file: Awaited<ReturnType<typeof open>>, bytes: number): Promise<boolean> {
  try {
    return (await file.write(Buffer.alloc(bytes))).bytesWritten === bytes;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}
