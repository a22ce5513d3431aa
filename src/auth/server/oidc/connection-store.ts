import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import type { OidcConnectionsTable } from '../../../base/server/db/tables/tables.ts';

/** Who somebody is at an OpenID provider: its issuer, and its name for the user. */
export type Identity = Pick<OidcConnectionsTable, 'issuer' | 'subject'>;

/** The identity that a user has connected, if any. It may be of an issuer that is no longer the server's. */
export function findConnection(
  reader: Reader,
  coupleId: CoupleId,
  userId: UserId,
): Promise<OidcConnectionsTable | undefined> {
  return reader
    .selectFrom('oidcConnections')
    .selectAll()
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .executeTakeFirst();
}

/** Disconnects a user. @returns false if the user had no connection */
export async function deleteConnection(tx: Writer, coupleId: CoupleId, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('oidcConnections')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Finds the connection of an identity. Used before sign-in: its row gives the couple's id. */
export function findByIdentity(
  reader: Reader,
  { issuer, subject }: Identity,
): Promise<OidcConnectionsTable | undefined> {
  return reader
    .selectFrom('oidcConnections')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/**
 * Connects a user with an identity, in place of one that they had before.
 * @throws a unique violation if the identity is another user's
 */
export async function saveConnection(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  { issuer, subject }: Identity,
  now: number,
): Promise<void> {
  await tx
    .insertInto('oidcConnections')
    .values({ coupleId, userId, issuer, subject, createdAt: now })
    .onConflict((conflict) => conflict.columns(['coupleId', 'userId']).doUpdateSet({ issuer, subject, createdAt: now }))
    .execute();
}
