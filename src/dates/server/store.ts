import { uuidv7 } from 'uuidv7';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { prepared } from '../../base/server/db/prepared.ts';
import type { DatesTable } from '../../base/server/db/tables.ts';
import type { PlanCount } from '../../ideas/server/routes.ts';

/** A planned date as stored. */
export type DateRow = DatesTable;

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

/** A planned date with its idea, which may have been deleted. */
export interface DateWithIdea extends Omit<DateRow, 'coupleId' | 'deletedAt' | 'deletedBy'> {
  readonly title: string;
  readonly description: string | null;
  readonly category: string;
}

/** A date that also has the number of plans of its idea. */
export interface ListedDate extends DateWithIdea {
  readonly planned: number | null;
  readonly lastPlanned: number | null;
}

function withIdea(reader: Reader, coupleId: CoupleId) {
  return reader
    .selectFrom('dates')
    .innerJoin('ideas', (join) =>
      join.onRef('ideas.coupleId', '=', 'dates.coupleId').onRef('ideas.id', '=', 'dates.ideaId'),
    )
    .select(COLUMNS)
    .select(['ideas.title', 'ideas.description', 'ideas.category'])
    .where('dates.coupleId', '=', coupleId)
    .where('dates.deletedAt', 'is', null);
}

/** Counts the plans of each idea, and the last one. Cancelled and deleted dates don't count (contract 3). */
function plansByIdea(reader: Reader, coupleId: CoupleId) {
  return reader
    .selectFrom('dates')
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

/** Dates with the number of plans of their ideas. */
function listed(reader: Reader, coupleId: CoupleId) {
  return withIdea(reader, coupleId)
    .leftJoin(plansByIdea(reader, coupleId).as('plans'), 'plans.ideaId', 'dates.ideaId')
    .select(['plans.planned', 'plans.lastPlanned']);
}

type OfCouple = { readonly coupleId: CoupleId };

/** All dates, latest first. The caller counts the plans of the ideas from the list itself. */
export const allDates = prepared<OfCouple, DateWithIdea>((reader, value) =>
  withIdea(reader, value('coupleId')).orderBy('dates.plannedDateTime', 'desc').orderBy('dates.id', 'desc'),
);

/** The dates of a status, latest first. */
export const datesOfStatus = prepared<OfCouple & Pick<DateRow, 'status'>, ListedDate>((reader, value) =>
  listed(reader, value('coupleId'))
    .where('dates.status', '=', value('status'))
    .orderBy('dates.plannedDateTime', 'desc')
    .orderBy('dates.id', 'desc'),
);

/** At most `limit` planned dates from `now` on, soonest first. */
export const datesAhead = prepared<OfCouple & { readonly now: number; readonly limit: number }, ListedDate>(
  (reader, value) =>
    listed(reader, value('coupleId'))
      .where('dates.status', '=', 'Planned')
      .where('dates.plannedDateTime', '>=', value('now'))
      .orderBy('dates.plannedDateTime', 'asc')
      .orderBy('dates.id', 'asc')
      .limit(value('limit')),
);

/** Finds a date that is not deleted, with its idea. */
export function findDateRow(reader: Reader, coupleId: CoupleId, id: string): Promise<DateWithIdea | undefined> {
  return withIdea(reader, coupleId).where('dates.id', '=', id).executeTakeFirst();
}

/** Counts the plans of the given ideas, or of all ideas if null. */
export async function countPlans(
  reader: Reader,
  coupleId: CoupleId,
  ideaIds: readonly string[] | null,
): Promise<ReadonlyMap<string, PlanCount>> {
  const all = plansByIdea(reader, coupleId);
  const rows = await (ideaIds === null ? all : all.where('ideaId', 'in', ideaIds)).execute();
  return new Map(rows.map(({ ideaId, planned, lastPlanned }) => [ideaId, { count: planned, last: lastPlanned }]));
}

/** The fields that planning and editing set. */
export type PlanFields = Pick<DateRow, 'plannedDateTime' | 'endDateTime' | 'location' | 'notes'>;

/** Inserts a planned date. @returns its id */
export async function insertDate(
  tx: Writer,
  coupleId: CoupleId,
  ideaId: string,
  fields: PlanFields,
  now: number,
): Promise<string> {
  const id = uuidv7();
  const { plannedDateTime, endDateTime, location, notes } = fields;
  await tx
    .insertInto('dates')
    .values({
      coupleId,
      id,
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
      createdAt: now,
      updatedAt: now,
      version: 1,
    })
    .execute();
  return id;
}

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
export type DateChanges = Partial<PlanFields & Pick<DateRow, 'status' | 'actualStartTime' | 'actualEndTime'>>;

/**
 * Changes a locked date. If nothing changes, it keeps its version (contract 1, Editing by two people).
 * @returns whether something changed
 */
export async function changeDate(
  tx: Writer,
  coupleId: CoupleId,
  before: DateRow,
  changes: DateChanges,
  now: number,
): Promise<boolean> {
  const same = (Object.keys(changes) as (keyof DateChanges)[]).every((name) => changes[name] === before[name]);
  if (same) return false;
  await tx
    .updateTable('dates')
    .set({ ...changes, updatedAt: now, version: before.version + 1 })
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

/** A planned date in the trash. */
export interface TrashedDate {
  readonly id: string;
  /** The title of its idea. */
  readonly title: string;
  readonly deletedAt: number;
  readonly deletedBy: UserId;
}

/** The couple's dates in the trash, latest first. */
export async function trashedDates(reader: Reader, coupleId: CoupleId): Promise<TrashedDate[]> {
  const rows = await reader
    .selectFrom('dates')
    .innerJoin('ideas', (join) =>
      join.onRef('ideas.coupleId', '=', 'dates.coupleId').onRef('ideas.id', '=', 'dates.ideaId'),
    )
    .select(['dates.id', 'ideas.title', 'dates.deletedAt', 'dates.deletedBy'])
    .where('dates.coupleId', '=', coupleId)
    .where('dates.deletedAt', 'is not', null)
    .orderBy('dates.deletedAt', 'desc')
    .orderBy('dates.id', 'desc')
    .$narrowType<{ deletedAt: number; deletedBy: UserId }>()
    .execute();
  return rows;
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
