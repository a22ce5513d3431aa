import type { Kysely } from 'kysely';

/** Which milestones each user has seen celebrated. */
export async function celebrations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('celebrations')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('milestone', 'text', (c) => c.notNull())
    .addColumn('seenAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('celebrations_key', ['coupleId', 'userId', 'milestone'])
    .addForeignKeyConstraint('celebrations_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
}
