import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Config } from '../config.ts';
import type { Db } from './db.ts';
import { migrations } from './migrations/index.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

type Where = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** A database as it is found, with the connection by which its tables are made. */
export interface Found {
  readonly db: Db;
  readonly migrate: Kysely<Tables>;
}

/** Opens the database that the configuration names, and leaves its tables as they are. */
export function findDb(config: Where): Found {
  return config.databaseUrl === null ? openSqlite(config.dataDir) : openPostgres(config.databaseUrl);
}

/** Opens the database that the configuration names, and brings its tables up to date. */
export async function openDb(config: Where): Promise<Db> {
  const { db, migrate } = findDb(config);
  try {
    await migrateTo(migrate, null);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

/** Makes the tables as they were after one migration, or as they are today (null). */
export async function migrateTo(migrate: Kysely<Tables>, name: string | null): Promise<void> {
  const migrator = new Migrator({ db: migrate, provider: { getMigrations: async () => migrations } });
  const { error } = await (name === null ? migrator.migrateToLatest() : migrator.migrateTo(name));
  if (error) throw error;
}

/** The last migration that a database has seen; null where it has no tables yet. */
export async function lastMigration(migrate: Kysely<Tables>): Promise<string | null> {
  const migrator = new Migrator({ db: migrate, provider: { getMigrations: async () => migrations } });
  const done = (await migrator.getMigrations()).filter(({ executedAt }) => executedAt !== undefined);
  return done.at(-1)?.name ?? null;
}
