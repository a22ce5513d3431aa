import { type Kysely, sql } from 'kysely';

/**
 * The queue of mails, the address that each user has confirmed, and of a code the mail that carries it and the address that
 * it confirms. A node of an older version ignores all of it; the mails of a couple or a user that it deletes go with them.
 */
export async function mail(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mails')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('coupleId', 'text')
    .addColumn('userId', 'text')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('about', 'text')
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('heldUntil', 'bigint', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('doneAt', 'bigint')
    .addForeignKeyConstraint('mails_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('mails_to_send')
    .on('mails')
    .columns(['heldUntil', 'id'])
    .where(sql<boolean>`"doneAt" is null`)
    .execute();
  await db.schema.createIndex('mails_of_user').on('mails').columns(['coupleId', 'userId', 'createdAt']).execute();
  await db.schema.createIndex('mails_by_address').on('mails').columns(['address', 'kind']).execute();
  await db.schema.createIndex('mails_by_age').on('mails').columns(['createdAt']).execute();
  await db.schema.alterTable('users').addColumn('verifiedEmail', 'text').execute();
  await db.schema.alterTable('codes').addColumn('mailId', 'text').execute();
  await db.schema.alterTable('codes').addColumn('address', 'text').execute();
}
