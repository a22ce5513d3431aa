import type { Kysely } from 'kysely';

const NEW_NAMES = { chores: 'scheduledJobs', damages: 'damagedFiles', intents: 'pendingFiles' } as const;

/**
 * Renames three tables after what they hold. The names of their constraints stay: SQLite can't rename those. No backup
 * contains these tables (`table-policies.ts`).
 */
export async function plainTableNames(db: Kysely<unknown>): Promise<void> {
  // On SQLite a migration is no transaction: after a crash it runs again and finds some tables already renamed.
  const existing = new Set((await db.introspection.getTables()).map(({ name }) => name));
  for (const [oldName, newName] of Object.entries(NEW_NAMES)) {
    if (existing.has(oldName)) await db.schema.alterTable(oldName).renameTo(newName).execute();
  }
}
