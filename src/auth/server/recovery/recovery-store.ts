import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { authLimits } from '../../rules.ts';
import { type CodeRow, findUnusedCode } from '../one-time-code-store.ts';

/** An unused, unexpired code with which a user sets a new password. Times are in milliseconds. */
export interface Recovery extends Pick<CodeRow, 'coupleId' | 'id' | 'expiresAt'> {
  readonly forUser: UserId;
  /** Whether it was mailed to the confirmed address of the user. */
  readonly isMailed: boolean;
  /** Before this it is refused; null means that it always works. */
  readonly usableAt: number | null;
}

/** Finds the code of a link for a new password: one of the partner, one of the operator, or a mailed one. */
export async function findRecovery(reader: Reader, codeHash: string, now: number): Promise<Recovery | null> {
  const mailed = await findUnusedCode(reader, 'mailedRecovery', codeHash, now);
  const found =
    mailed ??
    (await findUnusedCode(reader, 'partnerRecovery', codeHash, now)) ??
    (await findUnusedCode(reader, 'recovery', codeHash, now));
  if (found === undefined || found.forUser === null) return null;
  // A link that a partner made with an older version would work at once.
  if (found.usableAt === null && found.createdBy !== found.forUser) return null;
  return { ...found, forUser: found.forUser, isMailed: mailed !== undefined };
}

/** A standing link that one partner made for the other. */
export interface PartnerRecovery {
  readonly id: string;
  readonly createdBy: UserId;
  readonly forUser: UserId;
  readonly usableAt: number;
  readonly expiresAt: number;
}

/** The links that the partners of a couple have made for each other, and that are neither used nor expired. */
export async function partnerRecoveries(
  reader: Reader,
  coupleId: CoupleId,
  now: number,
): Promise<readonly PartnerRecovery[]> {
  const rows = await reader
    .selectFrom('codes')
    .select(['id', 'createdBy', 'forUser', 'usableAt', 'expiresAt'])
    .where('coupleId', '=', coupleId)
    .where('kind', '=', 'partnerRecovery')
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('createdAt')
    .execute();
  return rows.flatMap(({ forUser, usableAt, ...row }) =>
    forUser === null || usableAt === null ? [] : [{ ...row, forUser, usableAt }],
  );
}

/** Makes the link that the partner made for a user work from now on, for an hour. @returns false if there is none */
export async function agreeToRecovery(tx: Writer, coupleId: CoupleId, userId: UserId, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('codes')
    .set({ usableAt: now, expiresAt: now + authLimits.recovery })
    .where('coupleId', '=', coupleId)
    .where('kind', '=', 'partnerRecovery')
    .where('forUser', '=', userId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes the links that the partners have made for each other. @returns false if none stood */
export async function stopRecoveries(tx: Writer, coupleId: CoupleId, now: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('codes')
    .where('coupleId', '=', coupleId)
    .where('kind', '=', 'partnerRecovery')
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
