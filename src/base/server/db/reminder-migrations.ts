import type { Kysely } from 'kysely';

/** Migrations of what is recalled, fed to calendars and reminded of. Their names and order stand in `migrations.ts`. */

/** For what is recalled of earlier years: without it every date of a long story would be looked at. */
export async function datesByStart(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('dates_by_start').on('dates').columns(['coupleId', 'actualStartTime']).execute();
}

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

export async function celebrations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('celebrations')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('milestone', 'text', (c) => c.notNull())
    .addColumn('seenAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('celebrations_key', ['coupleId', 'userId', 'milestone'])
    .addForeignKeyConstraint('celebrations_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
}
