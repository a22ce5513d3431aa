import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import type { PasskeysTable } from '../../../base/server/db/tables/tables.ts';
import { authLimits } from '../../rules.ts';
import { hashOfSecret, newSecret } from '../secrets.ts';

/** A user's passkeys, oldest first. */
export function listPasskeys(reader: Reader, coupleId: CoupleId, userId: UserId): Promise<PasskeysTable[]> {
  return reader
    .selectFrom('passkeys')
    .selectAll()
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Finds a passkey by its credential. Used before sign-in: its row gives the couple's id. */
export function findPasskey(reader: Reader, credentialId: string): Promise<PasskeysTable | undefined> {
  return reader.selectFrom('passkeys').selectAll().where('credentialId', '=', credentialId).executeTakeFirst();
}

export async function insertPasskey(tx: Writer, row: PasskeysTable): Promise<void> {
  await tx.insertInto('passkeys').values(row).execute();
}

/**
 * Records the use of a passkey and its new counter.
 * @returns false if it was removed, or used by another request, since it was read
 */
export async function recordPasskeyUse(
  tx: Writer,
  before: PasskeysTable,
  counter: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, lastUsedAt: now })
    .where('coupleId', '=', before.coupleId)
    .where('userId', '=', before.userId)
    .where('id', '=', before.id)
    .where('counter', '=', before.counter)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** @returns the passkey that it has removed; undefined if the user has none with this id */
export function deletePasskey(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  id: string,
): Promise<Pick<PasskeysTable, 'name'> | undefined> {
  return tx
    .deleteFrom('passkeys')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
}

/** Removes all passkeys of a user. @returns how many there were */
export async function deletePasskeys(tx: Writer, coupleId: CoupleId, userId: UserId): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Creates a challenge for a purpose, valid once for five minutes. @returns the challenge, which is stored as a hash */
export async function insertChallenge(tx: Writer, purpose: string, now: number): Promise<string> {
  const challenge = newSecret(256);
  await tx
    .insertInto('challenges')
    .values({ challengeHash: hashOfSecret(challenge), purpose, expiresAt: now + authLimits.challenge })
    .execute();
  return challenge;
}

/** Consumes a challenge. @returns false if there is no unexpired one for this purpose */
export async function consumeChallenge(
  tx: Writer,
  challengeHash: string,
  purpose: string,
  now: number,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('challenges')
    .where('challengeHash', '=', challengeHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
