import type { Kysely } from 'kysely';

/** The hearts that partners put on ideas. A node of an older version deletes users and ideas without knowing of them. */
export async function hearts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hearts')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('ideaId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('hearts_key', ['coupleId', 'ideaId', 'userId'])
    .addForeignKeyConstraint('hearts_idea', ['coupleId', 'ideaId'], 'ideas', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .addForeignKeyConstraint('hearts_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
}
