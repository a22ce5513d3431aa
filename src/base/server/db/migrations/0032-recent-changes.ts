import type { Kysely } from 'kysely';

/**
 * When each couple's latest changes were announced, for nodes that did not listen then (decision 27). Only PostgreSQL has
 * rows in it. A node of an older version announces without writing them; newer nodes look for such nodes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recentChanges')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('userId', 'text')
    .addColumn('announcedAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('recent_changes_key', ['coupleId', 'id'])
    .addForeignKeyConstraint('recent_changes_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
}
