import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Db, Reader, Writer } from '../../../base/server/db/db.ts';
import type { ChallengesTable, PasskeysTable } from '../../../base/server/db/tables.ts';

/** A user's passkeys, the oldest first. */
export function passkeysOf(reader: Reader, coupleId: CoupleId, userId: UserId): Promise<PasskeysTable[]> {
  return reader
    .selectFrom('passkeys')
    .selectAll()
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** The passkey of a credential. Nobody is signed in yet: this is what makes the couple's id. */
export function passkeyByCredential(reader: Reader, credentialId: string): Promise<PasskeysTable | undefined> {
  return reader.selectFrom('passkeys').selectAll().where('credentialId', '=', credentialId).executeTakeFirst();
}

export async function insertPasskey(tx: Writer, row: PasskeysTable): Promise<void> {
  await tx.insertInto('passkeys').values(row).execute();
}

/**
 * Notes that a passkey was used, with its counter as it is now; false where it is gone, or where another has used it
 * since it was looked at.
 */
export async function usePasskey(tx: Writer, before: PasskeysTable, counter: number, now: number): Promise<boolean> {
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

/** @returns false where the user has no such passkey */
export async function deletePasskey(tx: Writer, coupleId: CoupleId, userId: UserId, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Removes all passkeys of a user. */
export async function deletePasskeys(tx: Writer, coupleId: CoupleId, userId: UserId): Promise<void> {
  await tx.deleteFrom('passkeys').where('coupleId', '=', coupleId).where('userId', '=', userId).execute();
}

/** So many expired challenges are deleted with each new one: more than are added, and never many at once. */
const CLEANUP = 100;

/** Stores a challenge until it is answered or expires, and deletes a bounded number of expired ones. */
export async function insertChallenge(
  tx: Writer,
  engine: Db['engine'],
  challenge: ChallengesTable,
  now: number,
): Promise<void> {
  await tx
    .deleteFrom('challenges')
    .where('challengeHash', 'in', (query) =>
      query
        .selectFrom('challenges')
        .select('challengeHash')
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt')
        .limit(CLEANUP)
        // Two nodes that clean up at once would otherwise wait for each other's rows, or deadlock.
        .$if(engine === 'postgres', (rows) => rows.forUpdate().skipLocked()),
    )
    .execute();
  await tx.insertInto('challenges').values(challenge).execute();
}

/** Takes a challenge out: it is good once. @returns false where there is none such for this purpose that is not too old */
export async function takeChallenge(tx: Writer, challengeHash: string, purpose: string, now: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('challenges')
    .where('challengeHash', '=', challengeHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
