import type { CoupleId, UserId } from '../../base/ids.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { prepareQuery } from '../../base/server/db/prepare-query.ts';
import type { SurprisesTable } from '../../base/server/db/tables/tables.ts';
import { type Viewer, type Visibility, visibilityKey } from '../../base/server/visibility.ts';
import type { DateStatus } from '../rules.ts';
import { isHiddenFrom, isSealed, type Sealable, surpriseRefusal } from '../surprises.ts';

/** What is stored of a date as a surprise. */
export type SurpriseRow = Pick<SurprisesTable, 'surpriseBy' | 'revealedAt' | 'shownVersion' | 'shownUpdatedAt'>;

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

/** Reads what is stored of a date as a surprise; undefined if it never was one. */
export function findSurprise(reader: Reader, coupleId: CoupleId, dateId: string): Promise<SurpriseRow | undefined> {
  return reader
    .selectFrom('surprises')
    .select(['surpriseBy', 'revealedAt', 'shownVersion', 'shownUpdatedAt'])
    .where('coupleId', '=', coupleId)
    .where('dateId', '=', dateId)
    .executeTakeFirst();
}

/** Saves what changes of a date as a surprise. */
export async function saveSurprise(
  tx: Writer,
  coupleId: CoupleId,
  dateId: string,
  surprise: SurpriseRow,
): Promise<void> {
  await tx
    .insertInto('surprises')
    .values({ coupleId, dateId, ...surprise })
    .onConflict((conflict) => conflict.columns(['coupleId', 'dateId']).doUpdateSet(surprise))
    .execute();
}

/** The parts of a date that show while it is a surprise. */
interface ShownDate {
  readonly status: DateStatus;
  readonly plannedDateTime: number;
  readonly endDateTime: number | null;
}

/** What a change makes of a surprise. */
export interface SurpriseChange {
  /** What to save; null if the date never was a surprise. */
  readonly surprise: SurpriseRow | null;
  /** Whether the partner may know that something has changed. */
  readonly isShown: boolean;
}

/**
 * Decides what a change of a date by its planner makes of the surprise: what reveals it reveals it for good, also when it
 * was its time that did, and what doesn't show leaves the version and the time that the partner sees (secrets.surprises.5).
 * @param before the date before the change, with its version
 * @param wanted the request's `surprise`; undefined keeps what it is
 */
export function changeOfSurprise(
  { surprise, ...before }: ShownDate & { readonly version: number; readonly surprise: SurpriseRow | null },
  after: ShownDate,
  { wanted, by, now }: { readonly wanted: boolean | undefined; readonly by: UserId; readonly now: number },
): SurpriseChange {
  const shown = { shownVersion: before.version + 1, shownUpdatedAt: now };
  if (surprise === null) {
    return { surprise: wanted ? { surpriseBy: by, revealedAt: null, ...shown } : null, isShown: true };
  }
  const staysSealed =
    wanted !== false && isSealed({ ...before, ...surprise }, now) && isSealed({ ...after, ...surprise }, now);
  if (!staysSealed) return { surprise: { ...surprise, revealedAt: surprise.revealedAt ?? now }, isShown: true };
  const isShown = before.plannedDateTime !== after.plannedDateTime || before.endDateTime !== after.endDateTime;
  return { surprise: isShown ? { ...surprise, ...shown } : surprise, isShown };
}
