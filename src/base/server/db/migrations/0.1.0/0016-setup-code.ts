import type { Kysely } from 'kysely';

/** The setup code for the first registration: one row that all nodes share. */
export async function setupCode(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('setupCodes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('seed', 'text', (c) => c.notNull())
    .addColumn('codeHash', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();
}
