import type { Config } from '../config.ts';
import { openDisk } from './disk.ts';
import type { Files } from './files.ts';

/**
 * Opens the photo store that the configuration names. The client of S3-compatible stores is dear to load (half a
 * second, 40 MB), so only those who have such a store load it.
 */
export async function openFiles(config: Pick<Config, 's3' | 'dataDir'>): Promise<Files> {
  if (config.s3 === null) return openDisk(config.dataDir);
  const { openS3 } = await import('./s3.ts');
  return openS3(config.s3, config.dataDir);
}
