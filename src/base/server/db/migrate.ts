import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { assertCompatible, executedMigrations, unknownMigrations } from './compatibility.ts';
import { isBusy, isConflict, isLockTimeout } from './faults.ts';
import { migrations } from './migrations/index.ts';
import type { Migrations, SchemaMigration } from './migrations/migration.ts';
import type { Tables } from './tables/tables.ts';

/** How often migrations are tried while other transactions hold locks, for instance a backup, and the pause between. */
const MAX_ATTEMPTS = 100;
const PAUSE_MS = 1_000;

/**
 * Migrates up to the migration `name`, or to the latest (null). Of several nodes, one does it while the others wait.
 * Leaves a database alone that a newer version has migrated.
 * @throws IncompatibleTables if this version can't work with what a newer one did
 */
export async function migrateTo(
  migrate: Kysely<Tables>,
  name: string | null,
  known: Migrations = migrations,
): Promise<void> {
  const migrator = migratorOf(migrate, known);
  for (let attempt = 1; ; attempt += 1) {
    if (await isMigrated(migrate, name, known)) return;
    const { error } = await (name === null ? migrator.migrateToLatest() : migrator.migrateTo(name));
    if (!error) return;
    // A newer node may have migrated in the meantime.
    if (await isMigrated(migrate, name, known)) return;
    if (!isLocked(error) || attempt === MAX_ATTEMPTS) throw error;
    await wait(PAUSE_MS);
  }
}

/** Whether there is nothing to do. @throws IncompatibleTables */
async function isMigrated(migrate: Kysely<Tables>, name: string | null, known: Migrations): Promise<boolean> {
  const executed = await executedMigrations(migrate);
  if (unknownMigrations(executed, known).length > 0) {
    await assertCompatible(migrate, known);
    return name === null || Object.hasOwn(known, name);
  }
  return name === null && executed.length === Object.keys(known).length;
}

/** Nothing is migrated, because another transaction held a lock for too long. */
function isLocked(error: unknown): boolean {
  return isConflict(error) || isBusy(error) || isLockTimeout(error);
}

/** Returns the last migration of this version that ran on a database; null if it is empty. */
export async function lastMigration(migrate: Kysely<Tables>): Promise<string | null> {
  const known = (await executedMigrations(migrate)).filter((name) => Object.hasOwn(migrations, name));
  return known.at(-1) ?? null;
}

function migratorOf(migrate: Kysely<Tables>, known: Migrations): Migrator {
  const recorded = Object.entries(known).map(([name, migration]) => [name, withRecord(name, migration)]);
  return new Migrator({
    db: migrate,
    provider: { getMigrations: async () => Object.fromEntries(recorded) as Record<string, Migration> },
  });
}

/** The migration that creates the table of kinds. Every node that reads the table knows all earlier migrations. */
const FIRST_RECORDED = '0022-migration-kinds';

/** A migration that also records its kind, for nodes that don't know it. */
function withRecord(name: string, migration: SchemaMigration): Migration {
  return {
    up: async (db: Kysely<Tables>) => {
      await migration.up(db as Kysely<unknown>);
      if (migration.kind === 'initial' || name < FIRST_RECORDED) return;
      const needs = migration.kind === 'remove' ? migration.needs : null;
      // Version 1.0.0 reads 'contract' for a remove migration.
      const kind = migration.kind === 'remove' ? 'contract' : migration.kind;
      await db.insertInto('migrationKinds').values({ name, kind, needs }).execute();
    },
  };
}
