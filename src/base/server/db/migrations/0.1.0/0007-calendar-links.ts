import type { Kysely } from 'kysely';

/** Secret addresses of the calendar feeds. */
export async function calendarLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('calendarLinks')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('secretHash', 'text', (c) => c.notNull().unique())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('calendar_links_key', ['coupleId', 'userId'])
    .addForeignKeyConstraint('calendar_links_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
}
