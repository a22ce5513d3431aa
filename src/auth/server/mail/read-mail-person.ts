import type { DateFormats } from '../../../base/date-formats.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import { usableZone } from '../../../base/time-zones.ts';
import { isVerified } from '../user-store.ts';

/** What a mail needs to know of a user. */
export interface MailPerson {
  readonly email: string;
  readonly emailKey: string;
  /** The address that they have confirmed, as they wrote it then. */
  readonly verifiedEmail: string | null;
  readonly isVerified: boolean;
  readonly displayName: string;
  readonly formats: DateFormats;
  readonly timeZone: string;
  readonly isSuspended: boolean;
}

/** Reads a user for a mail; null if the account was deleted. */
export async function readMailPerson(
  reader: Reader,
  { coupleId, userId }: { readonly coupleId: CoupleId; readonly userId: UserId },
): Promise<MailPerson | null> {
  const row = await reader
    .selectFrom('users')
    .innerJoin('couples', 'couples.id', 'users.coupleId')
    .select(['email', 'emailKey', 'verifiedEmail', 'displayName', 'formats', 'timeZone', 'suspendedAt'])
    .where('users.coupleId', '=', coupleId)
    .where('users.id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { suspendedAt, ...person } = row;
  return {
    ...person,
    formats: row.formats ?? 'us',
    timeZone: usableZone(row.timeZone),
    isVerified: isVerified(row),
    isSuspended: suspendedAt !== null,
  };
}
