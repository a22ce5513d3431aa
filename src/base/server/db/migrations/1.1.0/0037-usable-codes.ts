import type { Kysely } from 'kysely';

/**
 * When a code becomes usable. A node of an older version knows neither this nor the kind of code that has to wait, so it
 * takes none of these early.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('codes').addColumn('usableAt', 'bigint').execute();
}
