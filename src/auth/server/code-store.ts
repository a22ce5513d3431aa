import { uuidv7 } from 'uuidv7';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { CodesTable } from '../../base/server/db/tables/tables.ts';
import { isNotSuspended } from './operator/suspension-store.ts';
import { hashOfSecret, newSecret } from './secrets.ts';

export type CodeRow = Pick<CodesTable, 'coupleId' | 'id' | 'createdBy' | 'forUser' | 'usableAt' | 'expiresAt'>;

/**
 * Finds an unused, unexpired code of a space that is not suspended. Its row gives the couple's id of the person who joins or
 * recovers.
 */
export function findValidCode(
  reader: Reader,
  kind: CodesTable['kind'],
  codeHash: string,
  now: number,
): Promise<CodeRow | undefined> {
  return reader
    .selectFrom('codes')
    .select(['coupleId', 'id', 'createdBy', 'forUser', 'usableAt', 'expiresAt'])
    .where('codeHash', '=', codeHash)
    .where('kind', '=', kind)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .where(isNotSuspended('codes.coupleId'))
    .executeTakeFirst();
}

/** What a new code is for, its length in bits, and its lifetime in milliseconds from when it becomes usable. */
export interface NewCode extends Pick<CodesTable, 'kind' | 'createdBy' | 'forUser'> {
  readonly bits: 128 | 256;
  readonly lifetime: number;
  /** The milliseconds until it becomes usable, if it isn't at once. */
  readonly delay?: number;
}

/** A new code, which is stored only as a hash. Times are in milliseconds. */
export interface IssuedCode {
  readonly code: string;
  readonly id: string;
  readonly usableAt: number;
  readonly expiresAt: number;
}

/** Creates a code that works once, and deletes the older ones of its kind for the same user. */
export async function issueCode(
  tx: Writer,
  coupleId: CoupleId,
  { bits, lifetime, delay = 0, ...purpose }: NewCode,
  now: number,
): Promise<IssuedCode> {
  const code = newSecret(bits);
  const [id, usableAt] = [uuidv7(), now + delay];
  const expiresAt = usableAt + lifetime;
  await deleteCodes(tx, coupleId, purpose.kind, purpose.forUser);
  await tx
    .insertInto('codes')
    .values({
      coupleId,
      id,
      ...purpose,
      mailId: null,
      codeHash: hashOfSecret(code),
      createdAt: now,
      usableAt,
      expiresAt,
      usedAt: null,
    })
    .execute();
  return { code, id, usableAt, expiresAt };
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
