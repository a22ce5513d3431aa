import type { Kysely } from 'kysely';

/** The setup code of the next first registration: one row, for all nodes. */
export async function setupCode(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('setupCodes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('seed', 'text', (c) => c.notNull())
    .addColumn('codeHash', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();
}
