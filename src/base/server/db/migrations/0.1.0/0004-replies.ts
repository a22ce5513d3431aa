import type { Kysely } from 'kysely';

/** Stored replies for requests with an `Idempotency-Key`. */
export async function replies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('replies')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text')
    .addColumn('status', 'integer')
    .addColumn('headers', 'text')
    .addColumn('body', 'text')
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('claimedUntil', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('replies_key', ['coupleId', 'key'])
    .execute();
}
