import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { isNotSuspended } from '../../base/server/db/is-not-suspended.ts';
import type { Viewer } from '../../base/server/visibility.ts';

/** When a user's calendar link was created, in milliseconds, or null without one. */
export async function readCalendarLinkTime(reader: Reader, coupleId: CoupleId, userId: UserId): Promise<number | null> {
  const link = await reader
    .selectFrom('calendarLinks')
    .select('createdAt')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return link?.createdAt ?? null;
}

/**
 * Finds the partner whose calendar a secret opens, unless the space is suspended. There is no session; the secret gives the
 * couple's id.
 */
export async function findOwnerOfCalendar(reader: Reader, secretHash: string): Promise<Viewer | null> {
  const link = await reader
    .selectFrom('calendarLinks')
    .select(['coupleId', 'userId'])
    .where('secretHash', '=', secretHash)
    .where(isNotSuspended('calendarLinks.coupleId'))
    .executeTakeFirst();
  return link ?? null;
}

/** Stores a user's calendar link, replacing the previous one. */
export async function replaceCalendarLink(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  link: { readonly secretHash: string; readonly createdAt: number },
): Promise<void> {
  await tx
    .insertInto('calendarLinks')
    .values({ coupleId, userId, ...link })
    .onConflict((conflict) => conflict.columns(['coupleId', 'userId']).doUpdateSet(link))
    .execute();
}

/** @returns false if the user has no link */
export async function deleteCalendarLink(tx: Writer, coupleId: CoupleId, userId: UserId): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('calendarLinks')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}
