import type { Kysely } from 'kysely';

/** Requested deletions of a space, and deleted spaces whose files still have to be removed. */
export async function deletions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deletions')
    .addColumn('coupleId', 'text', (c) => c.primaryKey().references('couples.id').onDelete('cascade'))
    .addColumn('askedBy', 'text', (c) => c.notNull())
    .addColumn('askedAt', 'bigint', (c) => c.notNull())
    .addColumn('dueAt', 'bigint', (c) => c.notNull())
    // A user who leaves the couple withdraws the request.
    .addForeignKeyConstraint('deletions_user', ['coupleId', 'askedBy'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createTable('erasures')
    .addColumn('coupleId', 'text', (c) => c.primaryKey())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();
}
