import { uuidv7 } from 'uuidv7';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { prepared } from '../../base/server/db/prepared.ts';
import type { DatesTable } from '../../base/server/db/tables.ts';
import type { PlanCount } from '../../ideas/server/routes.ts';

/** A planned date as it is kept. */
export type DateRow = DatesTable;

/** What is shown of a date, and its version. */
const SHOWN = [
  ...(['dates.id', 'dates.ideaId', 'dates.status', 'dates.plannedDateTime', 'dates.endDateTime'] as const),
  ...(['dates.location', 'dates.notes', 'dates.actualStartTime', 'dates.actualEndTime'] as const),
  ...(['dates.createdAt', 'dates.updatedAt', 'dates.version'] as const),
] as const;

/** A planned date with what is shown of its idea, which may be deleted meanwhile. */
export interface DateWithIdea extends Omit<DateRow, 'coupleId' | 'deletedAt' | 'deletedBy'> {
  readonly title: string;
  readonly description: string | null;
  readonly category: string;
}

/** With how often the idea was planned, too. */
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
    .select(SHOWN)
    .select(['ideas.title', 'ideas.description', 'ideas.category'])
    .where('dates.coupleId', '=', coupleId)
    .where('dates.deletedAt', 'is', null);
}

/** How often each idea was planned, and when last: neither cancelled nor deleted dates count (contract 3). */
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

/** Dates with how often their ideas were planned, besides those of the list. */
function listed(reader: Reader, coupleId: CoupleId) {
  return withIdea(reader, coupleId)
    .leftJoin(plansByIdea(reader, coupleId).as('plans'), 'plans.ideaId', 'dates.ideaId')
    .select(['plans.planned', 'plans.lastPlanned']);
}

type OfCouple = { readonly coupleId: CoupleId };

/** All dates, latest first. How often their ideas were planned is seen from the list itself. */
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

/** Planned dates from `now` on, soonest first, `limit` at most. */
export const datesAhead = prepared<OfCouple & { readonly now: number; readonly limit: number }, ListedDate>(
  (reader, value) =>
    listed(reader, value('coupleId'))
      .where('dates.status', '=', 'Planned')
      .where('dates.plannedDateTime', '>=', value('now'))
      .orderBy('dates.plannedDateTime', 'asc')
      .orderBy('dates.id', 'asc')
      .limit(value('limit')),
);

/** One date that is not deleted, with its idea. */
export function findDateRow(reader: Reader, coupleId: CoupleId, id: string): Promise<DateWithIdea | undefined> {
  return withIdea(reader, coupleId).where('dates.id', '=', id).executeTakeFirst();
}

/** How often ideas were planned, by idea; of all ideas where none are named. */
export async function countPlans(
  reader: Reader,
  coupleId: CoupleId,
  ideaIds: readonly string[] | null,
): Promise<ReadonlyMap<string, PlanCount>> {
  const all = plansByIdea(reader, coupleId);
  const rows = await (ideaIds === null ? all : all.where('ideaId', 'in', ideaIds)).execute();
  return new Map(rows.map(({ ideaId, planned, lastPlanned }) => [ideaId, { count: planned, last: lastPlanned }]));
}

/** What may be written of a date by planning and by editing it. */
export type PlanFields = Pick<DateRow, 'plannedDateTime' | 'endDateTime' | 'location' | 'notes'>;

/** Adds a planned date; answers its id. */
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
      ...{ coupleId, id, ideaId, status: 'Planned', plannedDateTime, endDateTime, location, notes },
      ...{ actualStartTime: null, actualEndTime: null, deletedAt: null, deletedBy: null },
      ...{ createdAt: now, updatedAt: now, version: 1 },
    })
    .execute();
  return id;
}

/** One date, held until the transaction ends: of two who change it at once the second sees what the first made of it. */
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

/** What may change of a date that is there. */
export type DateChanges = Partial<PlanFields & Pick<DateRow, 'status' | 'actualStartTime' | 'actualEndTime'>>;

/**
 * Changes a locked date. One that stays as it is keeps its version (contract 1, Editing by two people).
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

/** Puts a date into the trash. Its memories are the photos port's matter, in the same transaction. */
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
  /** Its idea's title. */
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

/** Takes a date out of the trash, as it was. @returns false where the trash has no such date */
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

/** Deletes a date in the trash for good; its memories' rows go before it. @returns false where there is none such */
export async function eraseDate(tx: Writer, coupleId: CoupleId, id: string): Promise<boolean> {
  const erased = await tx
    .deleteFrom('dates')
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('deletedAt', 'is not', null)
    .executeTakeFirst();
  return erased.numDeletedRows === 1n;
}
