import type { Kysely } from 'kysely';
import { sql } from 'kysely';

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

export async function reminders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('vapidKeys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('publicKey', 'text', (c) => c.notNull())
    .addColumn('privateKey', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();
  await ofSession(db, 'pushDevices', 'push_devices')
    .addColumn('endpoint', 'text', (c) => c.notNull())
    .addColumn('p256dh', 'text', (c) => c.notNull())
    .addColumn('auth', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('push_devices_key', ['coupleId', 'userId', 'sessionId'])
    .execute();
  await ofUser(db, 'reminderChoices', 'reminder_choices')
    .addColumn('tomorrow', 'integer', (c) => c.notNull())
    .addColumn('starting', 'integer', (c) => c.notNull())
    .addColumn('howWasIt', 'integer', (c) => c.notNull())
    .addColumn('photographs', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('reminder_choices_key', ['coupleId', 'userId'])
    .execute();
  await ofSession(db, 'reminders', 'reminders')
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('addedBy', 'text')
    .addColumn('count', 'integer')
    .addColumn('until', 'bigint', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('heldUntil', 'bigint', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('doneAt', 'bigint')
    .addPrimaryKeyConstraint('reminders_key', ['coupleId', 'userId', 'sessionId', 'key'])
    .execute();
  await db.schema
    .createIndex('reminders_waiting')
    .on('reminders')
    .columns(['createdAt'])
    .where(sql<boolean>`"doneAt" is null`)
    .execute();
  await ofUser(db, 'addedPhotos', 'added_photos')
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('firstAt', 'bigint', (c) => c.notNull())
    .addColumn('lastAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('added_photos_key', ['coupleId', 'userId', 'dateId'])
    .execute();
}

export async function passkeys(db: Kysely<unknown>): Promise<void> {
  await ofUser(db, 'passkeys', 'passkeys')
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('credentialId', 'text', (c) => c.notNull().unique())
    .addColumn('publicKey', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('lastUsedAt', 'bigint')
    .addPrimaryKeyConstraint('passkeys_key', ['coupleId', 'userId', 'id'])
    .execute();
  await db.schema
    .createTable('challenges')
    .addColumn('challengeHash', 'text', (c) => c.primaryKey())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'bigint', (c) => c.notNull())
    .execute();
}

/** A table of what belongs to a user, and goes with them. */
function ofUser(db: Kysely<unknown>, table: string, name: string) {
  return db.schema
    .createTable(table)
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addForeignKeyConstraint(`${name}_user`, ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    );
}

/** A table of what belongs to a session: signing out takes it along. */
function ofSession(db: Kysely<unknown>, table: string, name: string) {
  const session = ['coupleId', 'userId', 'sessionId'] as const;
  return db.schema
    .createTable(table)
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('sessionId', 'text', (c) => c.notNull())
    .addForeignKeyConstraint(`${name}_session`, [...session], 'sessions', ['coupleId', 'userId', 'id'], (c) =>
      c.onDelete('cascade'),
    );
}
