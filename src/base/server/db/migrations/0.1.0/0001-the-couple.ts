import type { Kysely } from 'kysely';

/** Couples, their users and sessions, one-time codes, and the counters of the rate limits. */
export async function theCouple(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('couples')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('togetherSince', 'text')
    .addColumn('timeZone', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('users')
    .addColumn('coupleId', 'text', (c) => c.notNull().references('couples.id').onDelete('cascade'))
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('emailKey', 'text', (c) => c.notNull().unique())
    .addColumn('displayName', 'text', (c) => c.notNull())
    .addColumn('passwordHash', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('users_key', ['coupleId', 'id'])
    .execute();
  await db.schema
    .createTable('sessions')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('tokenHash', 'text', (c) => c.notNull().unique())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('lastUsedAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('sessions_key', ['coupleId', 'userId', 'id'])
    .addForeignKeyConstraint('sessions_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createTable('codes')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('codeHash', 'text', (c) => c.notNull().unique())
    .addColumn('createdBy', 'text', (c) => c.notNull())
    .addColumn('forUser', 'text')
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addColumn('expiresAt', 'bigint', (c) => c.notNull())
    .addColumn('usedAt', 'bigint')
    .addPrimaryKeyConstraint('codes_key', ['coupleId', 'id'])
    .addForeignKeyConstraint('codes_maker', ['coupleId', 'createdBy'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createTable('tries')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('times', 'text', (c) => c.notNull())
    .addColumn('expire', 'bigint', (c) => c.notNull())
    .execute();
}
