import type { Kysely } from 'kysely';

/** What has expired is found without a look at every row. */
export async function challenges(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('challenges_by_expiry').on('challenges').columns(['expiresAt']).execute();
  await db.schema.createIndex('tries_by_expiry').on('tries').columns(['expire']).execute();
}
