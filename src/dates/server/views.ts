import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { compactDuration, formatInstant, minutesBetween } from '../../base/time.ts';
import type { CategoryValue } from '../../ideas/rules.ts';
import { NEVER_PLANNED, type PlanCount } from '../../ideas/server/routes.ts';
import type { PlannedDate } from '../contract.ts';
import type { DateWithIdea } from './store.ts';
import { allDates, countPlans, datesAhead, findDateRow } from './store.ts';

/** The port through which dates use the photographs. The memories slice implements it. */
export interface DateMemories {
  /** Counts the memories that are not deleted, by date; of all dates if null. Dates without any may be missing. */
  countByDate(
    reader: Reader,
    coupleId: CoupleId,
    dateIds: readonly string[] | null,
  ): Promise<ReadonlyMap<string, number>>;
  /** Moves the memories of a date to the trash, in the transaction that moves the date. */
  trashWithDate(tx: Writer, coupleId: CoupleId, dateId: string, now: number): Promise<void>;
}

function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}

function dateView(row: DateWithIdea, plans: PlanCount, memoryCount: number): PlannedDate {
  const { actualStartTime: start, actualEndTime: end } = row;
  return {
    id: row.id,
    status: row.status,
    plannedDateTime: formatInstant(row.plannedDateTime),
    endDateTime: instantOrNull(row.endDateTime),
    location: row.location,
    notes: row.notes,
    actualStartTime: instantOrNull(start),
    actualEndTime: instantOrNull(end),
    actualDuration: start === null || end === null ? null : compactDuration(minutesBetween(start, end)),
    memoryCount,
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
    dateIdea: {
      id: row.ideaId,
      title: row.title,
      description: row.description,
      category: row.category as CategoryValue,
      plannedDatesCount: plans.count,
      lastPlannedDate: instantOrNull(plans.last),
    },
  };
}

type Counting = Pick<DateMemories, 'countByDate'>;

/** Reads all dates, latest first, with two concurrent queries. */
export async function readAllDates(reader: Reader, photos: Counting, coupleId: CoupleId): Promise<PlannedDate[]> {
  const [rows, counts] = await Promise.all([
    allDates(reader, { coupleId }),
    photos.countByDate(reader, coupleId, null),
  ]);
  const plans = plansOf(rows);
  return rows.map((row) => dateView(row, plans.get(row.ideaId) ?? NEVER_PLANNED, counts.get(row.id) ?? 0));
}

/** Counts the plans of each idea from the list of all dates, latest first. */
function plansOf(latestFirst: readonly DateWithIdea[]): Map<string, PlanCount> {
  const plans = new Map<string, { count: number; last: number }>();
  for (const { ideaId, status, plannedDateTime } of latestFirst) {
    if (status === 'Cancelled') continue;
    const known = plans.get(ideaId);
    if (known) known.count += 1;
    else plans.set(ideaId, { count: 1, last: plannedDateTime });
  }
  return plans;
}

/** From this number on, counting for all dates and ideas costs less than naming them. */
const MANY = 200;

/** Converts rows to the contract's shape, with the counts of their ideas and memories. */
export async function viewsOf(
  reader: Reader,
  photos: Counting,
  coupleId: CoupleId,
  rows: readonly DateWithIdea[],
): Promise<PlannedDate[]> {
  const namesAll = rows.length < MANY;
  const [plans, counts] = await Promise.all([
    countPlans(reader, coupleId, namesAll ? [...new Set(rows.map(({ ideaId }) => ideaId))] : null),
    photos.countByDate(reader, coupleId, namesAll ? rows.map(({ id }) => id) : null),
  ]);
  return rows.map((row) => dateView(row, plans.get(row.ideaId) ?? NEVER_PLANNED, counts.get(row.id) ?? 0));
}

/** The next upcoming date, or null (contract 3). */
export async function readNextDate(
  reader: Reader,
  photos: Counting,
  coupleId: CoupleId,
  now: number,
): Promise<PlannedDate | null> {
  const [next] = await viewsOf(reader, photos, coupleId, await datesAhead(reader, { coupleId, now, limit: 1 }));
  return next ?? null;
}

/** Reads one date in the contract's shape, with its version for the ETag, or null if it doesn't exist. */
export async function readDate(
  reader: Reader,
  photos: Counting,
  coupleId: CoupleId,
  id: string,
): Promise<{ date: PlannedDate; version: number } | null> {
  const row = await findDateRow(reader, coupleId, id);
  if (!row) return null;
  // Sequential, because `reader` may be a transaction, which has one connection.
  const plans = await countPlans(reader, coupleId, [row.ideaId]);
  const counts = await photos.countByDate(reader, coupleId, [id]);
  const date = dateView(row, plans.get(row.ideaId) ?? NEVER_PLANNED, counts.get(id) ?? 0);
  return { date, version: row.version };
}

/** Converts a date that was just planned, which has no memories yet, to the contract's shape. */
export async function viewOfNew(reader: Reader, coupleId: CoupleId, row: DateWithIdea): Promise<PlannedDate> {
  const plans = await countPlans(reader, coupleId, [row.ideaId]);
  return dateView(row, plans.get(row.ideaId) ?? NEVER_PLANNED, 0);
}
