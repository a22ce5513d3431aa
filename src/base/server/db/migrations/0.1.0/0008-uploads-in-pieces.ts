import type { Kysely } from 'kysely';

/** Resumable uploads and their parts. */
export async function uploadsInPieces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('uploads')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('key', 'text')
    .addColumn('dateId', 'text', (c) => c.notNull())
    .addColumn('caption', 'text')
    .addColumn('deviceName', 'text', (c) => c.notNull())
    .addColumn('sizeBytes', 'bigint', (c) => c.notNull())
    .addColumn('receivedBytes', 'bigint', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('memoryId', 'text')
    .addColumn('refusal', 'text')
    .addColumn('lockedBy', 'text')
    .addColumn('lockedUntil', 'bigint', (c) => c.notNull())
    .addColumn('lockWanted', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('uploads_key', ['coupleId', 'id'])
    .execute();
  await db.schema.createIndex('uploads_once').on('uploads').columns(['coupleId', 'key']).unique().execute();
  await db.schema
    .createTable('pieces')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('uploadId', 'text', (c) => c.notNull())
    .addColumn('stem', 'text', (c) => c.notNull())
    .addColumn('startsAt', 'bigint', (c) => c.notNull())
    .addColumn('length', 'bigint')
    .addPrimaryKeyConstraint('pieces_key', ['coupleId', 'uploadId', 'stem'])
    .addForeignKeyConstraint('pieces_upload', ['coupleId', 'uploadId'], 'uploads', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
}
