import BetterSqlite3 from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { migrateTo } from '../migrate.ts';
import type { Tables } from './tables.ts';

/**
 * Returns the columns of each table after one of this version's migrations. The database may have more, from a newer
 * version.
 */
export async function columnsAfterMigration(migration: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const empty = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new BetterSqlite3(':memory:') }) });
  try {
    await migrateTo(empty, migration);
    const tables = await empty.introspection.getTables();
    return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
  } finally {
    await empty.destroy();
  }
}
