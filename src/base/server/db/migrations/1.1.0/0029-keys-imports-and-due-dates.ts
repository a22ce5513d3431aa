import { type Kysely, sql } from 'kysely';

/**
 * Keeps an `Idempotency-Key` for ninety days, with the id of what it created, and its reply for one day. Names the
 * photographs that an import has stored or is about to store, until it commits: the couple doesn't exist before that, so
 * there is no foreign key. Says when a code becomes usable: a node of an older version knows neither this nor the kind of
 * code that has to wait, so it takes none of these early. Finds the dates around now, of all couples, by an index.
 */
export async function keysImportsAndDueDates(db: Kysely<unknown>): Promise<void> {
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
