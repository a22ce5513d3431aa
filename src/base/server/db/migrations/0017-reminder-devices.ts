import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/**
 * Knows a device beyond its session, and what each user's device has been told. Devices of before are known by their
 * session until they are signed in anew.
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
  const tables = db as Kysely<Tables>;
  await tables.updateTable('pushDevices').set({ device: sql<string>`"sessionId"` }).execute();
}
