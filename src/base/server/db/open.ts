import { Migrator } from 'kysely/migration';
import type { Config } from '../config.ts';
import type { Db } from './db.ts';
import { migrations } from './migrations.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** Opens the database that the configuration names, and brings its tables up to date. */
export async function openDb(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Db> {
  const { db, migrate } = config.databaseUrl === null ? openSqlite(config.dataDir) : openPostgres(config.databaseUrl);
  try {
    const provider = { getMigrations: async () => migrations };
    const { error } = await new Migrator({ db: migrate, provider }).migrateToLatest();
    if (error) throw error;
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}
