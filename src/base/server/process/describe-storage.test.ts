import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { describeStorage } from './describe-storage.ts';

describe('the line of where everything is stored', { tags: ['running.start.6'] }, () => {
  it.each([
    [
      { DATA_DIR: '/srv/album', BACKUP_DIR: '/mnt/backup' },
      `Database: SQLite in ${resolve('/srv/album')}; photographs: ${resolve('/srv/album/photos')}; nightly backups: ${resolve('/mnt/backup')}`,
    ],
    [
      { DATADIR: '/srv/album', BACKUPDIR: '/mnt/backup' },
      `Database: SQLite in ${resolve('data')}; photographs: ${resolve('data/photos')}; nightly backups: none (BACKUP_DIR is not set)`,
    ],
    [
      {
        DATABASE_URL: 'postgres://ada:secret@db.example:5433/album?password=secret',
        STORAGE_URL: 's3://album/ours?endpoint=https://key:secret@store.example:9000/',
      },
      'Database: PostgreSQL at db.example:5433/album; photographs: bucket album/ours at store.example:9000; nightly backups: none (BACKUP_DIR is not set)',
    ],
    [
      { DATABASE_URL: 'postgres:///album?host=/run/postgresql', STORAGE_URL: 's3://album?region=eu-west-1' },
      'Database: PostgreSQL at /run/postgresql/album; photographs: bucket album at Amazon (eu-west-1); nightly backups: none (BACKUP_DIR is not set)',
    ],
  ])('for %o has no secret', (variables, line) => {
    expect(describeStorage(readConfig(variables))).toBe(line);
  });
});
