import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of its own that can be filled to the last byte: in memory, mounted on a temporary folder. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no room at all. */
  fill(): Promise<void>;
  /** Makes room again. */
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
}

/** Whether this machine lets us mount one: that takes root on Linux. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && triesToMount();

function triesToMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'our-love-story-mount-'));
  const mounted = mount(folder, 1) === 0;
  if (mounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return mounted;
}

function mount(folder: string, megabytes: number): number | null {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status;
}

export async function openSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-disk-'));
  if (mount(folder, megabytes) !== 0) throw new Error('The small disk could not be mounted');
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: async () => {
      const file = await open(ballast, 'a');
      try {
        // By whole pages, and by single bytes where no page is left.
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
