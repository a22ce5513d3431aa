import { uuidv7 } from 'uuidv7';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { prepared } from '../../base/server/db/prepared.ts';
import type { DatesTable } from '../../base/server/db/tables/tables.ts';
import type { Sight, Viewer } from '../../base/server/sight.ts';
import type { PlanCount } from '../../ideas/server/routes.ts';
import { dateSeenBy, type SeenDate, type StoredDate } from '../surprises.ts';

/** A planned date as stored. */
export type DateRow = DatesTable;

/** The columns from which 'We went!' is undone. */
export type WentFields = Pick<DateRow, 'wentBy' | 'wentVersion' | 'notesBeforeWent' | 'updatedAtBeforeWent'>;

/** The values of a date that was not completed by 'We went!', or has changed since. */
export const NOT_WENT: WentFields = {
  wentBy: null,
  wentVersion: null,
  notesBeforeWent: null,
  updatedAtBeforeWent: null,
};

/** The columns of a date that the views need, and its version. */
const COLUMNS = [
  'dates.id',
  'dates.ideaId',
  'dates.status',
  'dates.plannedDateTime',
  'dates.endDateTime',
  'dates.location',
  'dates.notes',
  'dates.actualStartTime',
  'dates.actualEndTime',
  'dates.createdAt',
  'dates.updatedAt',
  'dates.version',
] as const;

/** The dates of a couple with their ideas, which may have been deleted. Private: only `dateSeenBy` lets a date out. */
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

/** Counts the plans of each idea, and the last one. Cancelled and deleted dates don't count (secrets.surprises.6). */
function plansByIdea(reader: Reader, coupleId: CoupleId, hiddenDates: readonly string[] = []) {
  return reader
    .selectFrom('dates')
    .$if(hiddenDates.length > 0, (query) => query.where('id', 'not in', hiddenDates))
    .select((row) => [
      'ideaId',
      row.fn.countAll<number>().as('planned'),
      row.fn.max('plannedDateTime').as('lastPlanned'),
    ])
    .where('coupleId', '=', coupleId)
    .where('deletedAt', 'is', null)
    .where('status', '<>', 'Cancelled')
    .groupBy('ideaId');
}

type OfCouple = { readonly coupleId: CoupleId };

const seenBy = (rows: readonly StoredDate[], { userId }: Viewer, now: number): SeenDate[] =>
  rows.map((row) => dateSeenBy(userId, row, now));

/** All dates as a partner may see them, latest first. The caller counts the plans of the ideas from the list itself. */
export async function allDates(reader: Reader, viewer: Viewer, now: number): Promise<SeenDate[]> {
  return seenBy(await everyDate(reader, { coupleId: viewer.coupleId }), viewer, now);
}

const everyDate = prepared<OfCouple, StoredDate>((reader, value) =>
  notInTrash(reader, value('coupleId')).orderBy('dates.plannedDateTime', 'desc').orderBy('dates.id', 'desc'),
);

/** The dates of a status as a partner may see them, latest first. */
export async function datesOfStatus(
  reader: Reader,
  viewer: Viewer,
  status: DateRow['status'],
  now: number,
): Promise<SeenDate[]> {
  return seenBy(await everyDateOfStatus(reader, { coupleId: viewer.coupleId, status }), viewer, now);
}

const everyDateOfStatus = prepared<OfCouple & Pick<DateRow, 'status'>, StoredDate>((reader, value) =>
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
): Promise<SeenDate[]> {
  return seenBy(await everyDateAhead(reader, { coupleId: viewer.coupleId, now, limit }), viewer, now);
}

const everyDateAhead = prepared<OfCouple & { readonly now: number; readonly limit: number }, StoredDate>(
  (reader, value) =>
    notInTrash(reader, value('coupleId'))
      .where('dates.status', '=', 'Planned')
      .where('dates.plannedDateTime', '>=', value('now'))
      .orderBy('dates.plannedDateTime', 'asc')
      .orderBy('dates.id', 'asc')
      .limit(value('limit')),
);

/** Finds a date that is not deleted, as a partner may see it. */
export async function findDate(reader: Reader, viewer: Viewer, id: string, now: number): Promise<SeenDate | undefined> {
  return seenBy(await dateById(reader, { coupleId: viewer.coupleId, id }), viewer, now)[0];
}

const dateById = prepared<OfCouple & Pick<DateRow, 'id'>, StoredDate>((reader, value) =>
  notInTrash(reader, value('coupleId')).where('dates.id', '=', value('id')),
);

/** Whether the couple has a date that is not deleted. */
export async function dateExists(reader: Reader, coupleId: CoupleId, id: string): Promise<boolean> {
  return (await dateById(reader, { coupleId, id })).length > 0;
}

/** Counts the plans of the given ideas that a partner may know of, or of all ideas if null. */
export async function countPlans(
  reader: Reader,
  sight: Sight,
  ideaIds: readonly string[] | null,
): Promise<ReadonlyMap<string, PlanCount>> {
  if (ideaIds?.length === 0) return new Map();
  const rows = await readPlans(reader, sight, ideaIds);
  return new Map(rows.map(({ ideaId, planned, lastPlanned }) => [ideaId, { count: planned, last: lastPlanned }]));
}

function readPlans(reader: Reader, { coupleId, hiddenDates }: Sight, ideaIds: readonly string[] | null) {
  const [ideaId, ...others] = ideaIds ?? [];
  if (ideaId !== undefined && others.length === 0 && hiddenDates.length === 0) {
    return plansOfIdea(reader, { coupleId, ideaId });
  }
  const all = plansByIdea(reader, coupleId, hiddenDates);
  return (ideaIds === null ? all : all.where('ideaId', 'in', ideaIds)).execute();
}

/** The plans of one idea, which every response with one date or idea needs. */
const plansOfIdea = prepared<
  OfCouple & Pick<DateRow, 'ideaId'>,
  Pick<DateRow, 'ideaId'> & { planned: number; lastPlanned: number | null }
>((reader, value) => plansByIdea(reader, value('coupleId')).where('ideaId', '=', value('ideaId')));

/** The ids of the ideas with a date that is planned or in progress, as far as a partner may know. */
export async function readBusyIdeas(reader: Reader, { coupleId, hiddenDates }: Sight): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom('dates')
    .select('ideaId')
    .distinct()
    .$if(hiddenDates.length > 0, (query) => query.where('id', 'not in', hiddenDates))
    .where('coupleId', '=', coupleId)
    .where('deletedAt', 'is', null)
    .where('status', 'in', ['Planned', 'InProgress'])
    .execute();
  return new Set(rows.map(({ ideaId }) => ideaId));
}

/** The fields that planning and editing set. */
export type PlanFields = Pick<DateRow, 'plannedDateTime' | 'endDateTime' | 'location' | 'notes'>;

/** Inserts a planned date. @returns its row */
export async function insertDate(
  tx: Writer,
  { coupleId, userId }: Viewer,
  ideaId: string,
  { plannedDateTime, endDateTime, location, notes }: PlanFields,
  now: number,
): Promise<DateRow> {
  const row: DateRow = {
    coupleId,
    id: uuidv7(),
    ideaId,
    status: 'Planned',
    plannedDateTime,
    endDateTime,
    location,
    notes,
    actualStartTime: null,
    actualEndTime: null,
    deletedAt: null,
    deletedBy: null,
    plannedBy: userId,
    ...NOT_WENT,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  await insertRow(tx, row);
  return row;
}

const insertRow = prepared<Pick<DateRow, keyof DateRow>, unknown>((tx, value) =>
  tx.insertInto('dates').values({
    coupleId: value('coupleId'),
    id: value('id'),
    ideaId: value('ideaId'),
    status: value('status'),
    plannedDateTime: value('plannedDateTime'),
    endDateTime: value('endDateTime'),
    location: value('location'),
    notes: value('notes'),
    actualStartTime: value('actualStartTime'),
    actualEndTime: value('actualEndTime'),
    deletedAt: value('deletedAt'),
    deletedBy: value('deletedBy'),
    plannedBy: value('plannedBy'),
    wentBy: value('wentBy'),
    wentVersion: value('wentVersion'),
    notesBeforeWent: value('notesBeforeWent'),
    updatedAtBeforeWent: value('updatedAtBeforeWent'),
    createdAt: value('createdAt'),
    updatedAt: value('updatedAt'),
    version: value('version'),
  }),
);

/** Reads a date and locks it until the transaction ends, so that concurrent changes run one after the other. */
export function lockDate(tx: Writer, coupleId: CoupleId, id: string): Promise<DateRow | undefined> {
  return tx
    .updateTable('dates')
    .set((row) => ({ version: row.ref('version') }))
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** The fields that may change. */
export type DateChanges = Partial<
  PlanFields & WentFields & Pick<DateRow, 'status' | 'actualStartTime' | 'actualEndTime' | 'updatedAt'>
>;

/**
 * Changes a locked date. If nothing changes, it keeps its version. `updatedAt` is
 * `now` unless `changes` has another.
 * @param isOther whether something changes that isn't a column of the date
 * @returns whether something changed
 */
export async function changeDate(
  tx: Writer,
  coupleId: CoupleId,
  before: DateRow,
  changes: DateChanges,
  now: number,
  isOther = false,
): Promise<boolean> {
  const same =
    !isOther && (Object.keys(changes) as (keyof DateChanges)[]).every((name) => changes[name] === before[name]);
  if (same) return false;
  await tx
    .updateTable('dates')
    .set({ updatedAt: now, ...NOT_WENT, ...changes, version: before.version + 1 })
    .where('coupleId', '=', coupleId)
    .where('id', '=', before.id)
    .execute();
  return true;
}

/** Moves a date to the trash. The caller moves its memories through the photos port, in the same transaction. */
export async function trashDate(tx: Writer, coupleId: CoupleId, id: string, by: UserId, now: number): Promise<void> {
  await tx
    .updateTable('dates')
    .set({ deletedAt: now, deletedBy: by })
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .execute();
}

/** A date as a partner may see it, with what the trash and an export need. */
export type KeptDate = SeenDate & Pick<DateRow, 'deletedAt' | 'deletedBy' | 'plannedBy'>;

/** All dates with those in the trash, as a partner may see them, by id. */
export async function keptDates(reader: Reader, viewer: Viewer, now: number): Promise<KeptDate[]> {
  const rows = await withIdea(reader, viewer.coupleId)
    .select(['dates.deletedAt', 'dates.deletedBy', 'dates.plannedBy'])
    .orderBy('dates.id')
    .execute();
  return rows.map(({ deletedAt, deletedBy, plannedBy, ...date }) => ({
    ...dateSeenBy(viewer.userId, date, now),
    deletedAt,
    deletedBy,
    plannedBy,
  }));
}

/** A planned date in the trash, as a partner may see it. */
export type TrashedDate = SeenDate & { readonly deletedAt: number; readonly deletedBy: UserId };

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
    ...dateSeenBy(viewer.userId, date, now),
    deletedAt,
    deletedBy,
  }));
}

/** When a date was moved to the trash (milliseconds); undefined if it isn't there. */
export async function findTrashTime(reader: Reader, coupleId: CoupleId, id: string): Promise<number | undefined> {
  const date = await reader
    .selectFrom('dates')
    .select('deletedAt')
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .executeTakeFirst();
  return date?.deletedAt ?? undefined;
}

/** Restores a date from the trash. @returns false if it is not in the trash */
export async function restoreDate(tx: Writer, coupleId: CoupleId, id: string): Promise<boolean> {
  const restored = await tx
    .updateTable('dates')
    .set({ deletedAt: null, deletedBy: null })
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('deletedAt', 'is not', null)
    .executeTakeFirst();
  return restored.numUpdatedRows === 1n;
}

/** Permanently deletes a date in the trash, after its memories' rows. @returns false if it is not in the trash */
export async function eraseDate(tx: Writer, coupleId: CoupleId, id: string): Promise<boolean> {
  const erased = await tx
    .deleteFrom('dates')
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('deletedAt', 'is not', null)
    .executeTakeFirst();
  return erased.numDeletedRows === 1n;
}
