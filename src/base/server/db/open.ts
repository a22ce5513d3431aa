import type { Kysely } from 'kysely';
import type { Config } from '../process/config.ts';
import type { Db } from './db.ts';
import { migrateTo } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import type { Migrations } from './migrations/migration.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import type { Tables } from './tables/tables.ts';

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>;

/** An open database, and the connection for its migrations. */
export interface OpenedDb {
  readonly db: Db;
  readonly migrate: Kysely<Tables>;
}

/** Opens the configured database without migrating it. */
export function openWithoutMigrating({ databaseUrl, databaseDirectUrl, dataDir }: DatabaseConfig): OpenedDb {
  return databaseUrl === null ? openSqlite(dataDir) : openPostgres(databaseUrl, databaseDirectUrl ?? databaseUrl);
}

/**
 * Opens the configured database and runs its pending migrations.
 * @param known the migrations of this version; tests play other versions
 * @throws IncompatibleTables if a newer version changed the tables so that this one can't work with them
 */
export async function openDb(config: DatabaseConfig, known: Migrations = migrations): Promise<Db> {
  const { db, migrate } = openWithoutMigrating(config);
  try {
    await migrateTo(migrate, null, known);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}
