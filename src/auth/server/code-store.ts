import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { CodesTable } from '../../base/server/db/tables.ts';

export type CodeRow = Pick<CodesTable, 'coupleId' | 'id' | 'createdBy' | 'forUser' | 'expiresAt'>;

/** A code that can still be used. This is what makes the couple's id of who joins or recovers. */
export function usableCode(
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

/** A new code of a couple. It voids those of its kind, a recovery those for the same user. */
export async function insertCode(
  tx: Writer,
  coupleId: CoupleId,
  code: Omit<CodesTable, 'coupleId' | 'usedAt'>,
): Promise<void> {
  await voidCodes(tx, coupleId, code.kind, code.forUser);
  await tx
    .insertInto('codes')
    .values({ coupleId, ...code, usedAt: null })
    .execute();
}

export async function voidCodes(
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

/** Uses a code up; false where somebody was quicker. */
export async function useCode(tx: Writer, coupleId: CoupleId, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('codes')
    .set({ usedAt: now })
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
