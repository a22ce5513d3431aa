import type { Kysely } from 'kysely';

/** The partners for whom a date is left out of looking back: their ids, joined by commas, or null for nobody. */
export async function notLookedBackBy(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('dates').addColumn('notLookedBackBy', 'text').execute();
}
