import type { Kysely } from 'kysely';

/** For whom a date is left out of looking back. Null is nobody. */
export async function lookBack(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('dates').addColumn('notLookedBackBy', 'text').execute();
}
