import { type Kysely, type SqlBool, sql } from 'kysely';

/**
 * Who planned a date, the surprises among the dates, and the opened notes of partners who have left, each kept for the
 * partner who stays. A node of an older version deletes dates and users without knowing of these tables. It shows
 * surprises like all dates. It does not show left notes, and still deletes the notes of a user who leaves. Also an index
 * that is small enough to count all memories.
 *
 * Keeps an `Idempotency-Key` for ninety days, with the id of what it created, and its reply for one day. Names the
 * photographs that an import has stored or is about to store, until it commits: the couple doesn't exist before that, so
 * there is no foreign key. Says when a code becomes usable: a node of an older version knows neither this nor the kind of
 * code that has to wait, so it takes none of these early. Finds the dates around now, of all couples, by an index.
 */
export async function surprisesKeysAndImports(db: Kysely<unknown>): Promise<void> {
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
  await db.schema.alterTable('replies').addColumn('createdId', 'text').execute();
  await db.schema.createIndex('replies_by_age').on('replies').column('createdAt').execute();
  await sql`create index "replies_with_body" on "replies" ("createdAt") where "body" is not null`.execute(db);
  await db.schema
    .createTable('importedFiles')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('fileName', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('imported_files_key', ['coupleId', 'fileName'])
    .execute();
  await db.schema.alterTable('codes').addColumn('usableAt', 'bigint').execute();
  await db.schema
    .createIndex('dates_by_status_and_time')
    .on('dates')
    .columns(['status', 'plannedDateTime', 'coupleId', 'id'])
    .execute();
}
