import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { migrateTo } from '../../src/base/server/db/migrate.ts';
import { openSqlite } from '../../src/base/server/db/sqlite/sqlite.ts';

/** An SQLite database without a server, and the folder that it is in. */
export type SqliteInFolder = Pick<ReturnType<typeof openSqlite>, 'db' | 'migrate'> & { folder: string };

/** Opens an empty SQLite database for each test of a file or of a `describe`. Call it once at the top of that. */
export function useSqlite(): Readonly<SqliteInFolder> {
  const here = {} as SqliteInFolder;
  beforeEach(async () => {
    here.folder = mkdtempSync(join(tmpdir(), 'our-love-story-sqlite-'));
    Object.assign(here, openSqlite(here.folder));
    await migrateTo(here.migrate, null);
  });
  afterEach(async () => {
    await here.db.close();
    rmSync(here.folder, { recursive: true, force: true });
  });
  return here;
}
