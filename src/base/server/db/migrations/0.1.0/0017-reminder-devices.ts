import { type Kysely, sql } from 'kysely';

/**
 * Identifies a device independently of its session, and records which reminders each device has received. Existing
 * devices use their session's id until the user signs in again.
 */
export async function reminderDevices(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('pushDevices')
    .addColumn('device', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await db.schema
    .createTable('toldReminders')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('toldAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('told_reminders_key', ['coupleId', 'userId', 'device', 'key'])
    .addForeignKeyConstraint('told_reminders_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
  await sql`update "pushDevices" set "device" = "sessionId"`.execute(db);
}
