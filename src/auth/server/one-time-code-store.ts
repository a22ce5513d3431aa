import { uuidv7 } from 'uuidv7';
import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { isNotSuspended } from '../../base/server/db/is-not-suspended.ts';
import type { CodesTable } from '../../base/server/db/tables/tables.ts';
import { hashOfSecret, newSecret } from './secrets.ts';

export type CodeRow = Pick<
  CodesTable,
  'coupleId' | 'id' | 'createdBy' | 'forUser' | 'address' | 'usableAt' | 'expiresAt'
>;

/**
 * Finds an unused, unexpired code of a space that is not suspended, even one that is not usable yet: the caller compares
 * `usableAt`. The row's `coupleId` says whose code it is, because the caller may not be signed in.
 */
export function findUnusedCode(
  reader: Reader,
  kind: CodesTable['kind'],
  codeHash: string,
  now: number,
): Promise<CodeRow | undefined> {
  return reader
    .selectFrom('codes')
    .select(['coupleId', 'id', 'createdBy', 'forUser', 'address', 'usableAt', 'expiresAt'])
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
  /** The mail that carries it. */
  readonly mailId?: string | null;
  /** The address that it confirms. */
  readonly address?: string | null;
}

/** A new code, which is stored only as a hash. Times are in milliseconds. */
export interface IssuedCode {
  readonly code: string;
  readonly id: string;
  readonly usableAt: number;
  readonly expiresAt: number;
}

/**
 * Creates a code that works once, and deletes the older ones of its kind for the same user; not those that an earlier try to
 * send the same mail has made, since that one may arrive after all.
 */
export async function issueCode(tx: Writer, coupleId: CoupleId, code: NewCode, now: number): Promise<IssuedCode> {
  const { mailId = null } = code;
  await codesOf(tx, coupleId, code)
    .$if(mailId !== null, (codes) =>
      codes.where((row) => row.or([row('mailId', 'is', null), row('mailId', '!=', mailId)])),
    )
    .execute();
  return addCode(tx, coupleId, code, now);
}

/** Creates a code that works once, beside the others of its kind. */
export async function addCode(
  tx: Writer,
  coupleId: CoupleId,
  { bits, lifetime, delay = 0, mailId = null, address = null, ...purpose }: NewCode,
  now: number,
): Promise<IssuedCode> {
  const code = newSecret(bits);
  const [id, usableAt] = [uuidv7(), now + delay];
  const expiresAt = usableAt + lifetime;
  const times = { createdAt: now, usableAt, expiresAt, usedAt: null };
  await tx
    .insertInto('codes')
    .values({ coupleId, id, ...purpose, mailId, address, codeHash: hashOfSecret(code), ...times })
    .execute();
  return { code, id, usableAt, expiresAt };
}

/** Deletes all codes of a kind for a user; for null, those of the couple. */
export async function deleteCodes(
  tx: Writer,
  coupleId: CoupleId,
  purpose: Pick<CodesTable, 'kind' | 'forUser'>,
): Promise<void> {
  await codesOf(tx, coupleId, purpose).execute();
}

/** Deletes the codes of a kind for a user that have expired. */
export async function deleteExpiredCodes(
  tx: Writer,
  coupleId: CoupleId,
  purpose: Pick<CodesTable, 'kind' | 'forUser'>,
  now: number,
): Promise<void> {
  await codesOf(tx, coupleId, purpose).where('expiresAt', '<=', now).execute();
}

function codesOf(tx: Writer, coupleId: CoupleId, { kind, forUser }: Pick<CodesTable, 'kind' | 'forUser'>) {
  return tx
    .deleteFrom('codes')
    .where('coupleId', '=', coupleId)
    .where('kind', '=', kind)
    .where('forUser', forUser === null ? 'is' : '=', forUser);
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
