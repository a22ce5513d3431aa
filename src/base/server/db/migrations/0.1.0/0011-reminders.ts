import { type Kysely, sql } from 'kysely';

/** Push devices, reminder settings, and the queue of reminders. */
export async function reminders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('vapidKeys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('publicKey', 'text', (c) => c.notNull())
    .addColumn('privateKey', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();
  await createSessionTable(db, 'pushDevices', 'push_devices')
    .addColumn('endpoint', 'text', (c) => c.notNull())
    .addColumn('p256dh', 'text', (c) => c.notNull())
    .addColumn('auth', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('push_devices_key', ['coupleId', 'userId', 'sessionId'])
    .execute();
  await createUserTable(db, 'reminderChoices', 'reminder_choices')
    .addColumn('tomorrow', 'integer', (c) => c.notNull())
    .addColumn('starting', 'integer', (c) => c.notNull())
    .addColumn('howWasIt', 'integer', (c) => c.notNull())
    .addColumn('photographs', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('reminder_choices_key', ['coupleId', 'userId'])
    .execute();
  await createSessionTable(db, 'reminders', 'reminders')
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
  await createUserTable(db, 'addedPhotos', 'added_photos')
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('firstAt', 'bigint', (c) => c.notNull())
    .addColumn('lastAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('added_photos_key', ['coupleId', 'userId', 'dateId'])
    .execute();
}

/** Starts a table whose rows are deleted together with their user. */
function createUserTable(db: Kysely<unknown>, table: string, name: string) {
  return db.schema
    .createTable(table)
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addForeignKeyConstraint(`${name}_user`, ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    );
}

/** Starts a table whose rows are deleted together with their session. */
function createSessionTable(db: Kysely<unknown>, table: string, name: string) {
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
