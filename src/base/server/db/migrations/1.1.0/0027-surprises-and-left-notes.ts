import { type Kysely, type SqlBool, sql } from 'kysely';

/**
 * Who planned a date, the surprises among the dates, and the opened notes of partners who have left, each kept for the
 * partner who stays. A node of an older version deletes dates and users without knowing of these tables. It shows
 * surprises like all dates. It does not show left notes, and still deletes the notes of a user who leaves. Also an index
 * that is small enough to count all memories.
 */
export async function surprisesAndLeftNotes(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('dates').addColumn('plannedBy', 'text').execute();
  await db.schema
    .createTable('surprises')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('surpriseBy', 'text', (c) => c.notNull())
    .addColumn('revealedAt', 'bigint')
    .addColumn('shownVersion', 'integer', (c) => c.notNull())
    .addColumn('shownUpdatedAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('surprises_key', ['coupleId', 'dateId'])
    .addForeignKeyConstraint('surprises_date', ['coupleId', 'dateId'], 'dates', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .addForeignKeyConstraint('surprises_user', ['coupleId', 'surpriseBy'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
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
  // SQLite reads only the index if it also has the columns of the query's condition.
  await db.schema
    .createIndex('memories_of_couple')
    .on('memories')
    .columns(['coupleId', 'deletedAt', 'dateDeletedAt'])
    .where(sql<SqlBool>`"deletedAt" is null and "dateDeletedAt" is null`)
    .execute();
}
