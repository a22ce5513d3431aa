import { type Kysely, sql } from 'kysely';

/** Keeps an `Idempotency-Key` for ninety days, with the id of what it created, and its reply for one day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('replies').addColumn('createdId', 'text').execute();
  await db.schema.createIndex('replies_by_age').on('replies').column('createdAt').execute();
  await sql`create index "replies_with_body" on "replies" ("createdAt") where "body" is not null`.execute(db);
}
