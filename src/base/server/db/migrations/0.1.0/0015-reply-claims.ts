import type { Kysely } from 'kysely';

/** Gives each claim on an `Idempotency-Key` an owner: only the request that holds the claim may store a reply. */
export async function replyClaims(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('replies').addColumn('claimedBy', 'text').execute();
}
