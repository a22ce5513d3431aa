import { uuidv7 } from 'uuidv7';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { CodesTable } from '../../base/server/db/tables.ts';
import { hashOfSecret, newSecret } from './secrets.ts';

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

/** What a new code is for, its length in bits, and its lifetime in milliseconds. */
export interface NewCode extends Pick<CodesTable, 'kind' | 'createdBy' | 'forUser'> {
  readonly bits: 128 | 256;
  readonly lifetime: number;
}

/**
 * Creates a code that works once, and deletes the older ones of its kind for the same user.
 * @returns the code, which is stored only as a hash, and when it expires
 */
export async function issueCode(
  tx: Writer,
  coupleId: CoupleId,
  { bits, lifetime, ...purpose }: NewCode,
  now: number,
): Promise<{ code: string; expiresAt: number }> {
  const code = newSecret(bits);
  const expiresAt = now + lifetime;
  await deleteCodes(tx, coupleId, purpose.kind, purpose.forUser);
  await tx
    .insertInto('codes')
    .values({
      coupleId,
      id: uuidv7(),
      ...purpose,
      codeHash: hashOfSecret(code),
      createdAt: now,
      expiresAt,
      usedAt: null,
    })
    .execute();
  return { code, expiresAt };
}

async function deleteCodes(
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
