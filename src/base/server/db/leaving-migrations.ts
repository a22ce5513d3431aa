import type { Kysely } from 'kysely';

/** A couple's wish to delete its space, and the spaces that were deleted and whose files are still to go. */
export async function deletions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deletions')
    .addColumn('coupleId', 'text', (c) => c.primaryKey().references('couples.id').onDelete('cascade'))
    .addColumn('askedBy', 'text', (c) => c.notNull())
    .addColumn('askedAt', 'bigint', (c) => c.notNull())
    .addColumn('dueAt', 'bigint', (c) => c.notNull())
    // Whoever leaves wants nothing of it any more.
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
