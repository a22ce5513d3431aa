import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { CodesTable } from '../../base/server/db/tables.ts';

export type CodeRow = Pick<CodesTable, 'coupleId' | 'id' | 'createdBy' | 'forUser' | 'expiresAt'>;

/** Finds an unused, unexpired code. Its row gives the couple's id of the person who joins or recovers. */
export function findUsableCode(
  reader: Reader,
  kind: CodesTable['kind'],
  codeHash: string,
  now: number,
): Promise<CodeRow | undefined> {
  return reader
    .selectFrom('codes')
    .select(['coupleId', 'id', 'createdBy', 'forUser', 'expiresAt'])
    .where('codeHash', '=', codeHash)
    .where('kind', '=', kind)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
}

/** Stores a new code and deletes the older ones of its kind; for a recovery, those for the same user. */
export async function insertCode(
  tx: Writer,
  coupleId: CoupleId,
  code: Omit<CodesTable, 'coupleId' | 'usedAt'>,
): Promise<void> {
  await deleteCodes(tx, coupleId, code.kind, code.forUser);
  await tx
    .insertInto('codes')
    .values({ coupleId, ...code, usedAt: null })
    .execute();
}

export async function deleteCodes(
  tx: Writer,
  coupleId: CoupleId,
  kind: CodesTable['kind'],
  forUser: UserId | null,
): Promise<void> {
  await tx
    .deleteFrom('codes')
    .where('coupleId', '=', coupleId)
    .where('kind', '=', kind)
    .where('forUser', forUser === null ? 'is' : '=', forUser)
    .execute();
}

/** Marks a code as used. @returns false if it was already used */
export async function redeemCode(tx: Writer, coupleId: CoupleId, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('codes')
    .set({ usedAt: now })
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
