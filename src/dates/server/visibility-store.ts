import type { CoupleId, UserId } from '../../base/ids.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Reader } from '../../base/server/db/db.ts';
import { prepareQuery } from '../../base/server/db/prepare-query.ts';
import { type Viewer, type Visibility, visibilityKey } from '../../base/server/visibility.ts';
import { isHiddenFrom, isSealed, type Sealable, surpriseRefusal } from '../surprises.ts';

/** The surprises that no change has revealed, also those of dates in the trash. Their time may have revealed them. */
export function unrevealedSurprises(reader: Reader, coupleId: CoupleId) {
  return reader
    .selectFrom('surprises')
    .innerJoin('dates', (join) =>
      join.onRef('dates.coupleId', '=', 'surprises.coupleId').onRef('dates.id', '=', 'surprises.dateId'),
    )
    .select(['surprises.dateId', 'surprises.surpriseBy', 'surprises.revealedAt'])
    .select(['dates.status', 'dates.plannedDateTime'])
    .where('surprises.coupleId', '=', coupleId)
    .where('surprises.revealedAt', 'is', null);
}

const unrevealed = prepareQuery<{ readonly coupleId: CoupleId }, Sealable & { readonly dateId: string }>(
  (reader, value) => unrevealedSurprises(reader, value('coupleId')).orderBy('surprises.dateId'),
);

/** Reads which dates are hidden from a partner now. @param now milliseconds */
export async function readVisibility(reader: Reader, { coupleId, userId }: Viewer, now: number): Promise<Visibility> {
  const all = await unrevealed(reader, { coupleId });
  const hiddenDates = all.filter((date) => isHiddenFrom(userId, date, now)).map(({ dateId }) => dateId);
  return { coupleId, userId, hiddenDates };
}

/**
 * Reads what depends on the dates that are hidden from a partner, such as a count. It is read again if they have changed
 * meanwhile: a surprise that was planned after the visibility was read would count.
 * @param now milliseconds
 */
export async function readAsVisible<T>(
  reader: Reader,
  viewer: Viewer,
  now: number,
  read: (visibility: Visibility) => Promise<T>,
): Promise<T> {
  let visibility = await readVisibility(reader, viewer, now);
  for (;;) {
    const result = await read(visibility);
    const after = await readVisibility(reader, viewer, now);
    if (visibilityKey(after) === visibilityKey(visibility)) return result;
    visibility = after;
  }
}

/** Reads the ids of the couple's surprises that aren't revealed, of both planners. */
export async function readSealed(reader: Reader, coupleId: CoupleId, now: number): Promise<readonly string[]> {
  const all = await unrevealed(reader, { coupleId });
  return all.filter((date) => isSealed(date, now)).map(({ dateId }) => dateId);
}

/** Returns the partner who alone may know of a change to a date's memories, or undefined for both. */
export async function onlyPlanner(
  reader: Reader,
  coupleId: CoupleId,
  dateId: string,
  now: number,
): Promise<UserId | undefined> {
  const all = await unrevealed(reader, { coupleId });
  return all.find((date) => date.dateId === dateId && isSealed(date, now))?.surpriseBy ?? undefined;
}

/**
 * Refuses a partner who may know only the time of a date to change it, or to add memories to it.
 * @throws Refusal 409
 */
export async function refuseHidden(reader: Reader, viewer: Viewer, dateId: string, now: number): Promise<void> {
  const { coupleId } = viewer;
  const hidden = (await unrevealed(reader, { coupleId })).find(
    (date) => date.dateId === dateId && isHiddenFrom(viewer.userId, date, now),
  );
  if (!hidden?.surpriseBy) return;
  const { displayName } = await reader
    .selectFrom('users')
    .select('displayName')
    .where('coupleId', '=', coupleId)
    .where('id', '=', hidden.surpriseBy)
    .executeTakeFirstOrThrow();
  throw new Refusal(409, surpriseRefusal(displayName));
}
