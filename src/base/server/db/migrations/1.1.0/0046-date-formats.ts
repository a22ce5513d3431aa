import type { Kysely } from 'kysely';

/** How each user reads dates and times. Null, as for users of older versions, is `us`. */
export async function dateFormats(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('formats', 'text').execute();
}
