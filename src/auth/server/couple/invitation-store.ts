import type { CoupleId } from '../../../base/ids.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import type { CodeRow } from '../one-time-code-store.ts';

/** Reads an invitation that can still be used, by the id of one of its codes. */
export function invitationById(
  reader: Reader,
  coupleId: CoupleId,
  id: string,
  now: number,
): Promise<Pick<CodeRow, 'createdBy' | 'expiresAt'> | undefined> {
  return reader
    .selectFrom('codes')
    .select(['createdBy', 'expiresAt'])
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('kind', '=', 'invitation')
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
}
