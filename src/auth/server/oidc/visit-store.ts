import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import type { OidcArrivalsTable } from '../../../base/server/db/tables/tables.ts';
import type { OidcIntent } from '../../oidc-contract.ts';
import { authLimits } from '../../rules.ts';

/** What a browser has gone to the OpenID provider for. */
export interface Purpose {
  readonly intent: OidcIntent;
  /** The path of this app to which the way back leads. */
  readonly returnUrl: string;
  /** Who connects or confirms. */
  readonly session: { readonly coupleId: CoupleId; readonly userId: UserId; readonly sessionId: string } | null;
  /** The user who was last signed in there: the way back comes without the cookie. */
  readonly earlierUser: UserId | null;
  /** The hash of the invitation's code, to join. */
  readonly codeHash: string | null;
  /** The hash of the setup code, to register. */
  readonly setupCodeHash: string | null;
}

/** Who has come back, and waits for a name and an e-mail. */
export type Arrival = Omit<OidcArrivalsTable, 'purpose' | 'expiresAt'> & { readonly purpose: Purpose };

/** Records that a browser goes to the provider. The browser and the state are given as hashes. */
export async function insertStart(
  tx: Writer,
  start: { readonly stateHash: string; readonly browserHash: string; readonly purpose: Purpose },
  now: number,
): Promise<void> {
  const row = { ...start, purpose: JSON.stringify(start.purpose), expiresAt: now + authLimits.oidcVisit };
  await tx.insertInto('oidcStarts').values(row).execute();
}

/** Takes what a browser has begun, once. @returns null if it has not, too long ago, or came back already */
export async function takeStart(
  tx: Writer,
  stateHash: string,
  browserHash: string,
  now: number,
): Promise<Purpose | null> {
  const row = await tx
    .deleteFrom('oidcStarts')
    .where('stateHash', '=', stateHash)
    .where('browserHash', '=', browserHash)
    .where('expiresAt', '>', now)
    .returning('purpose')
    .executeTakeFirst();
  return row === undefined ? null : (JSON.parse(row.purpose) as Purpose);
}

/** Records who has come back to a browser. Of two, the later one counts. */
export async function saveArrival(tx: Writer, arrival: Arrival, now: number): Promise<void> {
  const { browserHash, ...come } = arrival;
  const values = { ...come, purpose: JSON.stringify(arrival.purpose), expiresAt: now + authLimits.oidcVisit };
  await tx
    .insertInto('oidcArrivals')
    .values({ browserHash, ...values })
    .onConflict((conflict) => conflict.column('browserHash').doUpdateSet(values))
    .execute();
}

/** Who has come back to a browser, if anybody has. */
export async function findArrival(reader: Reader, browserHash: string, now: number): Promise<Arrival | null> {
  const row = await reader
    .selectFrom('oidcArrivals')
    .selectAll()
    .where('browserHash', '=', browserHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, purpose: JSON.parse(row.purpose) as Purpose };
}

/** Takes who has come back to a browser. @returns false if another request has */
export async function takeArrival(tx: Writer, browserHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('oidcArrivals')
    .where('browserHash', '=', browserHash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
