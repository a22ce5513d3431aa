import type { Kysely } from 'kysely';

/**
 * The opened notes of partners who have left, each kept for the partner who stays. A node of an older version deletes dates
 * and users without knowing of them. It does not show them, and still deletes the notes of a user who leaves.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('leftNotes')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('hearts', 'integer')
    .addColumn('writtenAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('left_notes_key', ['coupleId', 'dateId', 'userId'])
    .addForeignKeyConstraint('left_notes_date', ['coupleId', 'dateId'], 'dates', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .addForeignKeyConstraint('left_notes_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
}
