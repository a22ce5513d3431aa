import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { sql } from 'kysely';
import { openWithoutMigrating } from '../../src/base/server/db/open.ts';
import { LABEL_NAME } from '../../src/base/server/files/files.ts';
import { openFiles } from '../../src/base/server/files/open.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import { typeOfRow } from '../../src/memories/server/to-memory.ts';
import { RELEASES_FOLDER } from './releases-folder.ts';
import { removeTables } from './remove-tables.ts';
import type { TestStorage } from './test-storage.ts';

/**
 * Fills a test's empty storage with the tables, rows and photographs of a kept release.
 * @returns when its couple last used it, in milliseconds; the tests' clocks start there, before anything expires
 */
export async function loadRelease(storage: TestStorage, release: string): Promise<number> {
  const folder = join(RELEASES_FOLDER, release);
  const config = readConfig(storage.env);
  const found = openWithoutMigrating(config);
  const { db, migrate } = found;
  try {
    await removeTables(found);
    for (const file of [`${db.engine}.sql`, 'rows.sql']) {
      const statements = (await readFile(join(folder, file), 'utf8')).split(/;\n/).filter((text) => text !== '');
      for (const statement of statements) await sql.raw(statement).execute(migrate);
    }
    const files = await openFiles(config);
    const photos = join(folder, 'photos');
    await files.writeLabel(await readFile(join(photos, LABEL_NAME), 'utf8'));
    for (const entry of await readdir(photos, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name === LABEL_NAME) continue;
      const path = join(entry.parentPath, entry.name);
      const name = relative(photos, path).replaceAll('\\', '/');
      await files.putBytes(name, await readFile(path), typeOfRow({ fileExtension: extname(name) }));
    }
    const { rows } = await sql<{ at: number }>`select max("lastUsedAt") as at from sessions`.execute(migrate);
    return rows[0]?.at ?? 0;
  } finally {
    await db.close();
  }
}
