import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type LoopDisk, openLoopDisk, run } from './loop-disk.ts';
import { openSmallDisk } from './small-disk.ts';

/** A loop disk that fails on demand. */
export interface FailingDisk extends LoopDisk {
  /** From now on, the disk fails to write to blocks that are free now, and so a flush of them fails. */
  failWrites(): Promise<void>;
  /** The disk works again. What it failed to write is lost. */
  heal(): Promise<void>;
}

/** Creates and mounts an empty disk. Its image has holes, and is on a tmpfs that is full while the disk fails. */
export async function openFailingDisk(megabytes: number): Promise<FailingDisk> {
  const room = await openSmallDisk(megabytes + 8);
  const disk = await openLoopDisk(megabytes, room.folder);
  // Only free blocks are holes: if the file system could not write its own, it would become read-only.
  run('fallocate', ['--length', `${megabytes}MiB`, disk.image]);
  run('fstrim', [disk.folder]);
  // One request per block, because the loop device takes a request of which it wrote a part for written.
  const device = run('findmnt', ['--noheadings', '--output', 'SOURCE', disk.folder]).trim();
  await writeFile(`/sys/block/${basename(device)}/queue/max_sectors_kb`, '4');
  return {
    ...disk,
    failWrites: room.fill,
    heal: room.makeRoom,
    remove: async () => {
      await disk.remove();
      await room.remove();
    },
  };
}
