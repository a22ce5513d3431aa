import { type Kysely, sql } from 'kysely';
import type { Reader } from './db.ts';
import type { Migrations } from './migrations/migration.ts';
import type { Tables } from './tables/tables.ts';

/** The database has tables that this version can't work with. The message is for the operator. */
export class IncompatibleTables extends Error {
  override readonly name = 'IncompatibleTables';
}

/** Returns the names of all migrations that ran on a database, in order; none if it is empty. */
export async function executedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(({ name }) => name === 'kysely_migration') ? readExecuted(db) : [];
}

/** Returns the migrations that a newer version ran and this one doesn't know. */
export function unknownMigrations(executed: readonly string[], known: Migrations): string[] {
  return executed.filter((name) => !Object.hasOwn(known, name));
}

/**
 * Checks that this version can work with a database on which a newer version may have run migrations: with expand
 * migrations every version can, with a remove migration only one that knows the migration that it needs.
 * @throws IncompatibleTables with one sentence
 */
export async function assertCompatible(reader: Reader, known: Migrations): Promise<void> {
  const unknown = unknownMigrations(await readExecuted(reader), known);
  // The table is created by a migration: without unknown migrations it may not exist yet.
  if (unknown.length === 0) return;
  const kinds = await reader.selectFrom('migrationKinds').selectAll().where('name', 'in', unknown).execute();
  const obstacle = unknown.find((name) => {
    const row = kinds.find((one) => one.name === name);
    const isWorkable = row?.kind === 'expand' || (row?.kind === 'contract' && Object.hasOwn(known, row.needs ?? ''));
    return !isWorkable;
  });
  if (obstacle !== undefined) {
    throw new IncompatibleTables(
      `This version is too old for the tables of the database, which a newer version changed with migration ${obstacle}; install a newer version.`,
    );
  }
}

async function readExecuted(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select "name" from "kysely_migration" order by "name"`.execute(db);
  return rows.map(({ name }) => name);
}
