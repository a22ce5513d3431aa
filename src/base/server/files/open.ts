import type { Config } from '../process/config.ts';
import { openDisk } from './disk.ts';
import type { Files } from './files.ts';

/**
 * Opens the configured photo store. The S3 client is expensive to load (half a second, 40 MB), so it is loaded only if
 * it is used.
 */
export async function openFiles(config: Pick<Config, 's3' | 'dataDir'>): Promise<Files> {
  if (config.s3 === null) return openDisk(config.dataDir);
  const { openS3 } = await import('./s3.ts');
  return openS3(config.s3, config.dataDir);
}
