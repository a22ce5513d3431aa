import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Config } from '../config.ts';
import type { Db } from './db.ts';
import { migrations } from './migrations/index.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>;

/** An open database, and the connection for its migrations. */
export interface Found {
  readonly db: Db;
  readonly migrate: Kysely<Tables>;
}

/** Opens the configured database without migrating it. */
export function findDb({ databaseUrl, databaseDirectUrl, dataDir }: DatabaseConfig): Found {
  return databaseUrl === null ? openSqlite(dataDir) : openPostgres(databaseUrl, databaseDirectUrl ?? databaseUrl);
}

/** Opens the configured database and runs its pending migrations. */
export async function openDb(config: DatabaseConfig): Promise<Db> {
  const { db, migrate } = findDb(config);
  try {
    await migrateTo(migrate, null);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

/** Migrates up to the migration `name`, or to the latest (null). */
export async function migrateTo(migrate: Kysely<Tables>, name: string | null): Promise<void> {
  const migrator = migratorOf(migrate);
  const { error } = await (name === null ? migrator.migrateToLatest() : migrator.migrateTo(name));
  if (error) throw error;
}

/** Returns the last migration that ran on a database; null if it is empty. */
export async function lastMigration(migrate: Kysely<Tables>): Promise<string | null> {
  const done = (await migratorOf(migrate).getMigrations()).filter(({ executedAt }) => executedAt !== undefined);
  return done.at(-1)?.name ?? null;
}

function migratorOf(migrate: Kysely<Tables>): Migrator {
  return new Migrator({ db: migrate, provider: { getMigrations: async () => migrations } });
}
