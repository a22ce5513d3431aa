import { type OpenedDb, openWithoutMigrating } from '../../src/base/server/db/open.ts';
import { readConfig } from '../../src/base/server/process/config.ts';
import type { Engine } from './engines.ts';
import { removeTables } from './remove-tables.ts';
import { createTestStorage } from './test-storage.ts';

/** Runs the work on a database without tables, and deletes it. */
export async function withEmptyDatabase(engine: Engine, work: (found: OpenedDb) => Promise<void>): Promise<void> {
  const storage = await createTestStorage(engine);
  const found = openWithoutMigrating(readConfig(storage.env));
  try {
    await removeTables(found);
    await work(found);
  } finally {
    await found.db.close();
    await storage.remove();
  }
}
