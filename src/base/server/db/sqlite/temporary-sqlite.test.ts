import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it.skipIf(process.platform !== 'linux')(
  'a temporary database is on the disk, and has no name that a killed process could leave',
  { tags: ['keeping.backup.4'] },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'our-love-story-temporary-'));
    const program = `
      const { openTemporarySqlite } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'sqlite.ts')).href)});
      const { sql } = await import('kysely');
      const { readdirSync, readlinkSync } = await import('node:fs');
      const database = openTemporarySqlite();
      await sql\`create table "texts" as select printf('%.*c', 50000000, 'x') as "text"\`.execute(database);
      const opened = readdirSync('/proc/self/fd').flatMap((fd) => {
        try { return [readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; }
      });
      const isOnDisk = opened.some((path) => path.startsWith(${JSON.stringify(folder)}));
      console.log(JSON.stringify([isOnDisk, readdirSync(${JSON.stringify(folder)})]));`;
    try {
      const args = ['--input-type=module', '--eval', program];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env: { SQLITE_TMPDIR: folder } });
      expect(JSON.parse(stdout)).toEqual([true, []]);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
