import { sql } from 'kysely';
import type { OpenedDb } from '../../src/base/server/db/open.ts';

/** Removes the current tables, with which the tests' databases begin on PostgreSQL. */
export async function removeTables({ db, migrate }: OpenedDb): Promise<void> {
  if (db.engine === 'postgres') await sql.raw('drop schema public cascade; create schema public').execute(migrate);
}
