import type { Kysely } from 'kysely';

/**
 * `strays`: stored files that no row refers to, with the time each was first found. They may belong to couples that are
 * not in this database, so there is no foreign key. `storeIdentity`: which photo store belongs to this database.
 */
export async function strays(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('strays')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('fileName', 'text', (c) => c.notNull())
    .addColumn('foundAt', 'bigint', (c) => c.notNull())
    .addColumn('storedAt', 'bigint', (c) => c.notNull())
    .addColumn('seenAt', 'bigint', (c) => c.notNull())
    .addColumn('confirmedAt', 'bigint')
    .addPrimaryKeyConstraint('strays_key', ['coupleId', 'fileName'])
    .execute();
  await db.schema
    .createTable('storeIdentity')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('sweeps', 'bigint', (c) => c.notNull())
    .addColumn('claimedAt', 'bigint')
    .execute();
}
