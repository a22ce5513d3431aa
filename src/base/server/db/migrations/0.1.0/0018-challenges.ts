import type { Kysely } from 'kysely';

/** Indexes for deleting expired rows without a full scan. */
export async function challenges(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('challenges_by_expiry').on('challenges').columns(['expiresAt']).execute();
  await db.schema.createIndex('tries_by_expiry').on('tries').columns(['expire']).execute();
}
