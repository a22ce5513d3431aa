import { type Kysely, sql } from 'kysely';

/** Photos, and the files that are being stored or deleted. */
export async function memories(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memories')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('fileName', 'text', (c) => c.notNull())
    .addColumn('originalFileName', 'text', (c) => c.notNull())
    .addColumn('fileExtension', 'text', (c) => c.notNull())
    .addColumn('fileSizeBytes', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('thumbHash', 'text', (c) => c.notNull())
    .addColumn('caption', 'text')
    .addColumn('uploadedAt', 'bigint', (c) => c.notNull())
    .addColumn('takenAt', 'bigint')
    .addColumn('deletedAt', 'bigint')
    .addColumn('deletedBy', 'text')
    .addColumn('dateDeletedAt', 'bigint')
    .addPrimaryKeyConstraint('memories_key', ['coupleId', 'id'])
    .addForeignKeyConstraint('memories_date', ['coupleId', 'dateId'], 'dates', ['coupleId', 'id'])
    .execute();
  const live = sql<boolean>`"deletedAt" is null and "dateDeletedAt" is null`;
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('memories').columns(columns).where(live).execute();
  await index('memories_by_time', ['coupleId', 'uploadedAt', 'id']);
  await index('memories_by_size', ['coupleId', 'fileSizeBytes', 'id']);
  await index('memories_by_date', ['coupleId', 'dateId', 'uploadedAt', 'id']);
  await index('memories_by_date_size', ['coupleId', 'dateId', 'fileSizeBytes', 'id']);
  await db.schema.createIndex('memories_by_name').on('memories').columns(['coupleId', 'fileName']).unique().execute();
  // A date has each file only once. A copy in the trash doesn't count.
  await db.schema
    .createIndex('memories_once')
    .on('memories')
    .columns(['coupleId', 'dateId', 'sha256'])
    .unique()
    .where(sql<boolean>`"deletedAt" is null`)
    .execute();
  await db.schema
    .createTable('intents')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('fileName', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('intents_key', ['coupleId', 'fileName'])
    .execute();
}
