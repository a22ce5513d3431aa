import type { Kysely } from 'kysely';

/** Gives each lease an owner: a node that lost its lease can no longer renew or release it. */
export async function choreOwners(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('chores').addColumn('heldBy', 'text').execute();
}
