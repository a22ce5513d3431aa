import { sql } from 'kysely';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { inOrderAfter } from '../../base/server/db/in-order-after.ts';
import type { AddedPhotosTable } from '../../base/server/db/tables/tables.ts';
import { PHOTO_BATCH } from '../photo-batch.ts';

/** Counts a photograph that a user added to a date. Photographs of one date are announced together. */
export async function countAddedPhoto(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  dateId: string,
  now: number,
): Promise<void> {
  await tx
    .insertInto('addedPhotos')
    .values({ coupleId, userId, dateId, count: 1, firstAt: now, lastAt: now })
    .onConflict((conflict) =>
      conflict.columns(['coupleId', 'userId', 'dateId']).doUpdateSet({
        count: sql<number>`"addedPhotos"."count" + 1`,
        lastAt: now,
      }),
    )
    .execute();
}

export type AddedPhotos = AddedPhotosTable;

/** Reads the added photographs to announce now, of all couples: `isBatchComplete` as a query. For the scheduler only. */
export function dueAddedPhotos(
  reader: Reader,
  now: number,
  after: AddedPhotos | null,
  limit: number,
): Promise<AddedPhotos[]> {
  const due = reader
    .selectFrom('addedPhotos')
    .selectAll()
    .where(({ or, eb }) =>
      or([eb('lastAt', '<=', now - PHOTO_BATCH.quietMs), eb('firstAt', '<=', now - PHOTO_BATCH.maxMs)]),
    );
  return inOrderAfter(due, ['coupleId', 'userId', 'dateId'], after && [after.coupleId, after.userId, after.dateId])
    .limit(limit)
    .execute();
}

/** Claims added photographs for announcement; false if more were added since, or another node claimed them. */
export async function claimAddedPhotos(
  tx: Writer,
  { coupleId, userId, dateId, lastAt, count }: AddedPhotos,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('addedPhotos')
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .where('dateId', '=', dateId)
    .where('lastAt', '=', lastAt)
    .where('count', '=', count)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
