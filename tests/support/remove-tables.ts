import { sql } from 'kysely';
import type { Found } from '../../src/base/server/db/open.ts';

/** Removes the current tables, with which the tests' databases begin on PostgreSQL. */
export async function removeTables({ db, migrate }: Found): Promise<void> {
  if (db.engine === 'postgres') await sql.raw('drop schema public cascade; create schema public').execute(migrate);
}
