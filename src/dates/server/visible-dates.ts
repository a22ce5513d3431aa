import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader } from '../../base/server/db/db.ts';
import { prepareQuery } from '../../base/server/db/prepare-query.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import { dateVisibleTo, type StoredDate, type VisibleDate } from '../date-visible-to.ts';
import { optionalTextNames } from '../optional-texts.ts';
import type { DateRow } from './date-store.ts';

/** The columns of a date that the views need, and its version. */
const COLUMNS = [
  'dates.id',
  'dates.ideaId',
  'dates.status',
  'dates.plannedDateTime',
  'dates.endDateTime',
  ...optionalTextNames.map((name) => `dates.${name}` as const),
  'dates.actualStartTime',
  'dates.actualEndTime',
  'dates.createdAt',
  'dates.updatedAt',
  'dates.version',
  'dates.notLookedBackBy',
] as const;

/** The dates of a couple with their ideas, which may have been deleted. Private: only `dateVisibleTo` lets a date out. */
function withIdea(reader: Reader, coupleId: CoupleId) {
  return reader
    .selectFrom('dates')
    .innerJoin('ideas', (join) =>
      join.onRef('ideas.coupleId', '=', 'dates.coupleId').onRef('ideas.id', '=', 'dates.ideaId'),
    )
    .leftJoin('surprises', (join) =>
      join.onRef('surprises.coupleId', '=', 'dates.coupleId').onRef('surprises.dateId', '=', 'dates.id'),
    )
    .select(COLUMNS)
    .select(['ideas.title', 'ideas.description', 'ideas.category'])
    .select(['surprises.surpriseBy', 'surprises.revealedAt', 'surprises.shownVersion', 'surprises.shownUpdatedAt'])
    .where('dates.coupleId', '=', coupleId);
}

const notInTrash = (reader: Reader, coupleId: CoupleId) =>
  withIdea(reader, coupleId).where('dates.deletedAt', 'is', null);

type OfCouple = { readonly coupleId: CoupleId };

const visibleTo = (rows: readonly StoredDate[], { userId }: Viewer, now: number): VisibleDate[] =>
  rows.map((row) => dateVisibleTo(userId, row, now));

/** All dates as a partner may see them, latest first. The caller counts the plans of the ideas from the list itself. */
export async function allDates(reader: Reader, viewer: Viewer, now: number): Promise<VisibleDate[]> {
  return visibleTo(await everyDate(reader, { coupleId: viewer.coupleId }), viewer, now);
}

const everyDate = prepareQuery<OfCouple, StoredDate>((reader, value) =>
  notInTrash(reader, value('coupleId')).orderBy('dates.plannedDateTime', 'desc').orderBy('dates.id', 'desc'),
);

/** The dates of a status as a partner may see them, latest first. */
export async function datesOfStatus(
  reader: Reader,
  viewer: Viewer,
  status: DateRow['status'],
  now: number,
): Promise<VisibleDate[]> {
  return visibleTo(await everyDateOfStatus(reader, { coupleId: viewer.coupleId, status }), viewer, now);
}

const everyDateOfStatus = prepareQuery<OfCouple & Pick<DateRow, 'status'>, StoredDate>((reader, value) =>
  notInTrash(reader, value('coupleId'))
    .where('dates.status', '=', value('status'))
    .orderBy('dates.plannedDateTime', 'desc')
    .orderBy('dates.id', 'desc'),
);

/** At most `limit` planned dates from `now` on as a partner may see them, soonest first. */
export async function datesAhead(
  reader: Reader,
  viewer: Viewer,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<VisibleDate[]> {
  return visibleTo(await everyDateAhead(reader, { coupleId: viewer.coupleId, now, limit }), viewer, now);
}

const everyDateAhead = prepareQuery<OfCouple & { readonly now: number; readonly limit: number }, StoredDate>(
  (reader, value) =>
    notInTrash(reader, value('coupleId'))
      .where('dates.status', '=', 'Planned')
      .where('dates.plannedDateTime', '>=', value('now'))
      .orderBy('dates.plannedDateTime', 'asc')
      .orderBy('dates.id', 'asc')
      .limit(value('limit')),
);

/** Finds a date that is not deleted, as a partner may see it. */
export async function findDate(
  reader: Reader,
  viewer: Viewer,
  id: string,
  now: number,
): Promise<VisibleDate | undefined> {
  return visibleTo(await dateById(reader, { coupleId: viewer.coupleId, id }), viewer, now)[0];
}

const dateById = prepareQuery<OfCouple & Pick<DateRow, 'id'>, StoredDate>((reader, value) =>
  notInTrash(reader, value('coupleId')).where('dates.id', '=', value('id')),
);

/** Whether the couple has a date that is not deleted. */
export async function hasDate(reader: Reader, coupleId: CoupleId, id: string): Promise<boolean> {
  return (await dateById(reader, { coupleId, id })).length > 0;
}

/** A date as a partner may see it, with what the trash and an export need. */
export type KeptDate = VisibleDate & Pick<DateRow, 'deletedAt' | 'deletedBy' | 'plannedBy'>;

/** All dates with those in the trash, as a partner may see them, by id. */
export async function keptDates(reader: Reader, viewer: Viewer, now: number): Promise<KeptDate[]> {
  const rows = await withIdea(reader, viewer.coupleId)
    .select(['dates.deletedAt', 'dates.deletedBy', 'dates.plannedBy'])
    .orderBy('dates.id')
    .execute();
  return rows.map(({ deletedAt, deletedBy, plannedBy, ...date }) => ({
    ...dateVisibleTo(viewer.userId, date, now),
    deletedAt,
    deletedBy,
    plannedBy,
  }));
}

/** A planned date in the trash, as a partner may see it. */
export type TrashedDate = VisibleDate & { readonly deletedAt: number; readonly deletedBy: UserId };

/** The dates in the trash as a partner may see them, latest first. */
export async function trashedDates(reader: Reader, viewer: Viewer, now: number): Promise<TrashedDate[]> {
  const rows = await withIdea(reader, viewer.coupleId)
    .select(['dates.deletedAt', 'dates.deletedBy'])
    .where('dates.deletedAt', 'is not', null)
    .orderBy('dates.deletedAt', 'desc')
    .orderBy('dates.id', 'desc')
    .$narrowType<{ deletedAt: number; deletedBy: UserId }>()
    .execute();
  return rows.map(({ deletedAt, deletedBy, ...date }) => ({
    ...dateVisibleTo(viewer.userId, date, now),
    deletedAt,
    deletedBy,
  }));
}
