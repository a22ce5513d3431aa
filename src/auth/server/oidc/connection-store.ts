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
