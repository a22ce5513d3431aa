import type { Kysely } from 'kysely';

/** Scheduled jobs with their leases, and photos found damaged. */
export async function keeping(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('chores')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('heldUntil', 'bigint', (c) => c.notNull())
    .addColumn('doneAt', 'bigint')
    .addColumn('state', 'text')
    .execute();
  await db.schema
    .createTable('damages')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('fileName', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('foundAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('damages_key', ['coupleId', 'fileName'])
    .execute();
}
