import { join } from 'node:path';
import { PHOTOS_FOLDER } from '../files/disk.ts';
import type { Config, S3Config } from './config.ts';

/**
 * Says in one line where the database, the photographs and the backups are, without secrets, so that a misspelled variable
 * is seen: the default stands in its place.
 */
export function describeStorage({ databaseUrl, dataDir, s3, backupDir }: Config): string {
  const database = databaseUrl === null ? `SQLite in ${dataDir}` : `PostgreSQL at ${placeOf(new URL(databaseUrl))}`;
  const photographs = s3 === null ? join(dataDir, PHOTOS_FOLDER) : describeBucket(s3);
  const backups = backupDir ?? 'none (BACKUP_DIR is not set)';
  return `Database: ${database}; photographs: ${photographs}; nightly backups: ${backups}`;
}

function placeOf({ host, pathname, searchParams }: URL): string {
  return `${searchParams.get('host') ?? host}${pathname}`;
}

function describeBucket({ bucket, prefix, endpoint, region }: S3Config): string {
  const place = endpoint === null ? `Amazon (${region})` : new URL(endpoint).host;
  return `bucket ${bucket}${prefix === '' ? '' : `/${prefix}`} at ${place}`;
}
