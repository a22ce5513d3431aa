import type { Kysely } from 'kysely';

/**
 * The notes that partners write after a date, and each user's choice of their reminder. A node of an older version deletes
 * dates and users without knowing of notes, and saves choices without this one, which null then leaves on.
 */
export async function notes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('notes')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('hearts', 'integer')
    .addColumn('writtenAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('notes_key', ['coupleId', 'dateId', 'userId'])
    .addForeignKeyConstraint('notes_date', ['coupleId', 'dateId'], 'dates', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .addForeignKeyConstraint('notes_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
  await db.schema.alterTable('reminderChoices').addColumn('notes', 'integer').execute();
}
