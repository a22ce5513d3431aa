import type { Kysely } from 'kysely';

/** A lease without an owner can be renewed, or given up, by a node that lost it long ago. */
export async function choreOwners(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('chores').addColumn('heldBy', 'text').execute();
}
