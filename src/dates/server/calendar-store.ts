import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';

/** Since when a user has a calendar link, in milliseconds; null without one. */
export async function calendarLinkSince(reader: Reader, coupleId: CoupleId, userId: UserId): Promise<number | null> {
  const link = await reader
    .selectFrom('calendarLinks')
    .select('createdAt')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return link?.createdAt ?? null;
}

/** The couple whose dates a secret opens. Nobody is signed in: this is what makes the couple's id. */
export async function coupleOfCalendar(reader: Reader, secretHash: string): Promise<CoupleId | null> {
  const link = await reader
    .selectFrom('calendarLinks')
    .select('coupleId')
    .where('secretHash', '=', secretHash)
    .executeTakeFirst();
  return link?.coupleId ?? null;
}

/** Gives a user a link; the one before opens nothing any more. */
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

/** @returns false where the user has no link */
export async function deleteCalendarLink(tx: Writer, coupleId: CoupleId, userId: UserId): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('calendarLinks')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}
