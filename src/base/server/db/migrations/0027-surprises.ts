import type { Kysely } from 'kysely';

/**
 * Who planned a date, and the surprises among the dates. A node of an older version deletes dates and users without knowing
 * of surprises, and shows them like all dates.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('dates').addColumn('plannedBy', 'text').execute();
  await db.schema
    .createTable('surprises')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('surpriseBy', 'text', (c) => c.notNull())
    .addColumn('revealedAt', 'bigint')
    .addColumn('shownVersion', 'integer', (c) => c.notNull())
    .addColumn('shownUpdatedAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('surprises_key', ['coupleId', 'dateId'])
    .addForeignKeyConstraint('surprises_date', ['coupleId', 'dateId'], 'dates', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .addForeignKeyConstraint('surprises_user', ['coupleId', 'surpriseBy'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
}
