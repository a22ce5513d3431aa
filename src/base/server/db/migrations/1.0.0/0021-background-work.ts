import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Lets background work find what is due for all couples by an index: when to look at each couple's reminders next, and
 * when rows expire. On PostgreSQL it also drops a unique constraint without the couple's id: no query uses it, and a
 * database that is distributed by couple can't have it.
 */
export async function backgroundWork(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reminderChecks')
    .ifNotExists()
    .addColumn('coupleId', 'text', (c) => c.primaryKey().references('couples.id').onDelete('cascade'))
    .addColumn('checkAt', 'bigint', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .execute();
  await sql`insert into "reminderChecks" ("coupleId", "checkAt", "version")
    select distinct "coupleId", 0, 0 from "pushDevices" where true on conflict ("coupleId") do nothing`.execute(db);
  const index = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).ifNotExists().on(table).columns(columns);
  const key = ['coupleId', 'userId', 'sessionId', 'key'];
  await index('reminder_checks_due', 'reminderChecks', ['checkAt', 'coupleId']).execute();
  await index('reminders_to_send', 'reminders', ['heldUntil', 'createdAt'])
    .where(sql<boolean>`"doneAt" is null`)
    .execute();
  await db.schema.dropIndex('reminders_waiting').ifExists().execute();
  await index('reminders_by_age', 'reminders', ['createdAt', ...key]).execute();
  await index('told_reminders_by_age', 'toldReminders', ['toldAt', 'coupleId', 'userId', 'device', 'key']).execute();
  await index('added_photos_by_last', 'addedPhotos', ['lastAt']).execute();
  await index('added_photos_by_first', 'addedPhotos', ['firstAt']).execute();
  const isDeleted = sql<boolean>`"deletedAt" is not null`;
  await index('memories_by_deletion', 'memories', ['deletedAt', 'coupleId', 'id']).where(isDeleted).execute();
  await index('dates_by_deletion', 'dates', ['deletedAt', 'coupleId', 'id']).where(isDeleted).execute();
  await index('pending_files_by_age', 'pendingFiles', ['createdAt', 'coupleId', 'fileName']).execute();
  await index('uploads_by_age', 'uploads', ['createdAt', 'coupleId', 'id']).execute();
  await index('strays_by_age', 'strays', ['foundAt', 'coupleId', 'fileName']).execute();
  await index('deletions_by_due', 'deletions', ['dueAt', 'coupleId']).execute();
  // SQLite can't drop a column's constraint.
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`alter table "users" drop constraint if exists "users_id_key"`.execute(db);
  }
}
