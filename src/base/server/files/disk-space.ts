import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../process/config.ts';
import { PHOTOS_FOLDER } from './disk.ts';

/** A disk that the server writes to: what is on it, and its bytes. */
export interface DiskSpace {
  readonly place: 'data' | 'photographs' | 'backups';
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** The space of each disk that the server writes to. A folder that doesn't answer, such as one of a lost mount, is left out. */
export async function readDiskSpace({
  dataDir,
  s3,
  backupDir,
}: Pick<Config, 'dataDir' | 's3' | 'backupDir'>): Promise<readonly DiskSpace[]> {
  const folders = [
    ['data', dataDir],
    // It may be a mount of its own.
    ['photographs', s3 === null ? join(dataDir, PHOTOS_FOLDER) : null],
    ['backups', backupDir],
  ] as const;
  const spaces = await Promise.all(
    folders.map(async ([place, folder]) => {
      const stats = folder === null ? null : await statfs(folder).catch(() => null);
      if (stats === null) return [];
      // What is free for a user without special rights, as the server is.
      return [{ place, freeBytes: stats.bavail * stats.bsize, sizeBytes: stats.blocks * stats.bsize }];
    }),
  );
  return spaces.flat();
}
