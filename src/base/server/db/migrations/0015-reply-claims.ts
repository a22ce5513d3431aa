import type { Kysely } from 'kysely';

/** A claim on an `Idempotency-Key` gets an owner: only the request that holds the claim may keep an answer for it. */
export async function replyClaims(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('replies').addColumn('claimedBy', 'text').execute();
}
