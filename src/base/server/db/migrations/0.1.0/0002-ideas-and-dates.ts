import type { Kysely } from 'kysely';

/** Date ideas and planned dates. */
export async function ideasAndDates(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ideas')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('category', 'text', (c) => c.notNull())
    .addColumn('isActive', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('updatedAt', 'bigint', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('deletedAt', 'bigint')
    .addPrimaryKeyConstraint('ideas_key', ['coupleId', 'id'])
    .execute();
  await db.schema
    .createTable('dates')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('ideaId', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('plannedDateTime', 'bigint', (c) => c.notNull())
    .addColumn('endDateTime', 'bigint')
    .addColumn('location', 'text')
    .addColumn('notes', 'text')
    .addColumn('actualStartTime', 'bigint')
    .addColumn('actualEndTime', 'bigint')
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('updatedAt', 'bigint', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('deletedAt', 'bigint')
    .addColumn('deletedBy', 'text')
    .addPrimaryKeyConstraint('dates_key', ['coupleId', 'id'])
    .addForeignKeyConstraint('dates_idea', ['coupleId', 'ideaId'], 'ideas', ['coupleId', 'id'])
    .execute();
  await db.schema.createIndex('dates_by_time').on('dates').columns(['coupleId', 'plannedDateTime', 'id']).execute();
  await db.schema.createIndex('dates_by_idea').on('dates').columns(['coupleId', 'ideaId']).execute();
}
