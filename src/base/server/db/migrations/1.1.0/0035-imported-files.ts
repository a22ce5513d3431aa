import type { Kysely } from 'kysely';

/**
 * The photographs that an import has stored or is about to store, until it commits. The couple doesn't exist before that,
 * so there is no foreign key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('importedFiles')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('fileName', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('imported_files_key', ['coupleId', 'fileName'])
    .execute();
}
