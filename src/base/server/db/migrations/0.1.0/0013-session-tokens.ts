import { type Kysely, sql } from 'kysely';

/** How long bearer tokens from before this migration stay valid, in milliseconds. */
const GRACE_MS = 3_600_000;

/**
 * Moves bearer tokens to their own table. Before, one secret was both the cookie and the token. `sessions.tokenHash`
 * remains the hash of the cookie, and `formerHash` marks a cookie that still has to be replaced. Open pages may use
 * their old token for another hour.
 */
export async function sessionTokens(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessionTokens')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('sessionId', 'text', (c) => c.notNull())
    .addColumn('tokenHash', 'text', (c) => c.notNull().unique())
    .addColumn('expiresAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('session_tokens_key', ['coupleId', 'userId', 'sessionId', 'tokenHash'])
    .addForeignKeyConstraint(
      'session_tokens_session',
      ['coupleId', 'userId', 'sessionId'],
      'sessions',
      ['coupleId', 'userId', 'id'],
      (c) => c.onDelete('cascade'),
    )
    .execute();
  await db.schema.alterTable('sessions').addColumn('formerHash', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('formerSalt', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('replacedAt', 'bigint').execute();
  await sql`update "sessions" set "formerHash" = "tokenHash"`.execute(db);
  await db.schema.createIndex('sessions_by_former').on('sessions').column('formerHash').unique().execute();
  await sql`insert into "sessionTokens" ("coupleId", "userId", "sessionId", "tokenHash", "expiresAt")
    select "coupleId", "userId", "id", "tokenHash", cast(${Date.now() + GRACE_MS} as bigint) from "sessions"`.execute(
    db,
  );
}
