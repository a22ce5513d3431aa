import type { Kysely } from 'kysely';

/**
 * The identities at an OpenID provider with which users sign in, what a browser has begun there, and what it has brought
 * back. A node of an older version doesn't read them: a user with such an identity signs in there with the password.
 */
export async function openIdConnect(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('oidcConnections')
    .addColumn('coupleId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull())
    .addForeignKeyConstraint('oidc_connections_user', ['coupleId', 'userId'], 'users', ['coupleId', 'id'], (c) =>
      c.onDelete('cascade'),
    )
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('oidc_connections_key', ['coupleId', 'userId'])
    .addUniqueConstraint('oidc_connections_identity', ['issuer', 'subject'])
    .execute();
  await db.schema
    .createTable('oidcStarts')
    .addColumn('stateHash', 'text', (c) => c.primaryKey())
    .addColumn('browserHash', 'text', (c) => c.notNull())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('oidc_starts_by_expiry').on('oidcStarts').column('expiresAt').execute();
  await db.schema
    .createTable('oidcArrivals')
    .addColumn('browserHash', 'text', (c) => c.primaryKey())
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('displayName', 'text')
    .addColumn('email', 'text')
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('oidc_arrivals_by_expiry').on('oidcArrivals').column('expiresAt').execute();
}
