import { compactDuration, minutesBetween } from '../../base/durations.ts';
import { formatInstant } from '../../base/instants.ts';
import { etagOf } from '../../base/server/calls/answer.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import type { CategoryValue } from '../../ideas/categories.ts';
import { NEVER_PLANNED, type PlanCount } from '../../ideas/server/plan-counts.ts';
import type { PlannedDate } from '../contract.ts';
import type { VisibleDate } from '../date-visible-to.ts';
import { optionalTextsOf } from '../optional-texts.ts';
import type { MemoriesOfDates } from './memories-of-dates.ts';
import { countPlans } from './plan-counts.ts';
import { readAsVisible } from './visibility-store.ts';
import { allDates, datesAhead, findDate } from './visible-dates.ts';

function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}

function dateView(row: VisibleDate, plans: PlanCount, memoryCount: number): PlannedDate {
  const { actualStartTime: start, actualEndTime: end } = row;
  return {
    id: row.id,
    status: row.status,
    plannedDateTime: formatInstant(row.plannedDateTime),
    endDateTime: instantOrNull(row.endDateTime),
    ...optionalTextsOf(row),
    actualStartTime: instantOrNull(start),
    actualEndTime: instantOrNull(end),
    actualDuration: start === null || end === null ? null : compactDuration(minutesBetween(start, end)),
    memoryCount: row.isHidden ? 0 : memoryCount,
    surprise: row.surprise && { ...row.surprise },
    lookBack: row.lookBack,
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
    dateIdea: {
      id: row.ideaId,
      title: row.title,
      description: row.description,
      category: row.category as CategoryValue | null,
      plannedDatesCount: plans.count,
      lastPlannedDate: instantOrNull(plans.last),
    },
  };
}

type Counting = Pick<MemoriesOfDates, 'countByDate'>;

/** Reads all dates, latest first, with two queries. */
export async function readAllDates(
  reader: Reader,
  photos: Counting,
  viewer: Viewer,
  now: number,
): Promise<PlannedDate[]> {
  // The counts come first: those of a date that becomes a surprise meanwhile don't show.
  const counts = await photos.countByDate(reader, viewer.coupleId, null);
  const rows = await allDates(reader, viewer, now);
  const plans = plansOf(rows);
  return rows.map((row) => dateView(row, planOf(row, plans), counts.get(row.id) ?? 0));
}

/** The count of a date's idea. A hidden date has no idea. */
function planOf({ ideaId }: VisibleDate, plans: ReadonlyMap<string, PlanCount>): PlanCount {
  return (ideaId === null ? undefined : plans.get(ideaId)) ?? NEVER_PLANNED;
}

/** Counts the plans of each idea from the list of all dates, latest first. */
function plansOf(latestFirst: readonly VisibleDate[]): Map<string, PlanCount> {
  const plans = new Map<string, { count: number; last: number }>();
  for (const { ideaId, status, plannedDateTime } of latestFirst) {
    if (status === 'Cancelled' || ideaId === null) continue;
    const known = plans.get(ideaId);
    if (known) known.count += 1;
    else plans.set(ideaId, { count: 1, last: plannedDateTime });
  }
  return plans;
}

/** From this number on, counting for all dates and ideas costs less than naming them. */
const MANY = 200;

/** Reads dates in the contract's shape, with the counts of their ideas and memories. */
export async function viewsOf(
  reader: Reader,
  photos: Counting,
  viewer: Viewer,
  { readRows, now }: { readonly readRows: () => Promise<readonly VisibleDate[]>; readonly now: number },
): Promise<PlannedDate[]> {
  return readAsVisible(reader, viewer, now, async (visibility) => {
    const rows = await readRows();
    const namesAll = rows.length < MANY;
    const [plans, counts] = await Promise.all([
      countPlans(reader, visibility, namesAll ? ideasOf(rows) : null),
      photos.countByDate(reader, viewer.coupleId, namesAll ? rows.map(({ id }) => id) : null),
    ]);
    return rows.map((row) => dateView(row, planOf(row, plans), counts.get(row.id) ?? 0));
  });
}

function ideasOf(rows: readonly VisibleDate[]): string[] {
  return [...new Set(rows.flatMap(({ ideaId }) => ideaId ?? []))];
}

/** The next upcoming date as a partner may see it, or null. */
export async function readNextDate(
  reader: Reader,
  photos: Counting,
  viewer: Viewer,
  now: number,
): Promise<PlannedDate | null> {
  const readRows = () => datesAhead(reader, viewer, { now, limit: 1 });
  const [next] = await viewsOf(reader, photos, viewer, { readRows, now });
  return next ?? null;
}

/** Reads one date as a partner may see it, with its ETag, or null if it doesn't exist. */
export async function readDate(
  reader: Reader,
  photos: Counting,
  viewer: Viewer,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<{ date: PlannedDate; etag: string; isHidden: boolean } | null> {
  return readAsVisible(reader, viewer, now, async (visibility) => {
    const row = await findDate(reader, viewer, id, now);
    if (!row) return null;
    // Sequential, because `reader` may be a transaction, which has one connection.
    const plans = await countPlans(reader, visibility, ideasOf([row]));
    const counts = await photos.countByDate(reader, viewer.coupleId, [id]);
    return {
      date: dateView(row, planOf(row, plans), counts.get(id) ?? 0),
      etag: tagOf(row),
      isHidden: row.isHidden,
    };
  });
}

/** Converts a date that was just planned, which has no memories yet, to the contract's shape, for its planner. */
export async function viewOfNew(reader: Reader, viewer: Viewer, row: VisibleDate, now: number): Promise<PlannedDate> {
  const plans = await readAsVisible(reader, viewer, now, (visibility) =>
    countPlans(reader, visibility, ideasOf([row])),
  );
  return dateView(row, planOf(row, plans), 0);
}

/** The ETag of a date. That of a hidden one differs from those of all versions that show everything. */
export function tagOf({ id, version, isHidden }: VisibleDate): string {
  return etagOf({ id: isHidden ? `${id}.surprise` : id, version });
}
