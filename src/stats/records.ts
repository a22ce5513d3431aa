import { formatInstant } from '../base/instants.ts';
import type { CompletedDate } from './completed-dates.ts';
import type { MonthFigures } from './periods.ts';

/** The date that holds a record. `value` is minutes, a number of memories, or null for the first date. */
export interface RecordHolder {
  readonly plannedDateId: string;
  readonly title: string;
  readonly plannedDateTime: string;
  readonly value: number | null;
}

/** A date with its number of memories. `start` is its actual start, or else its planned one. */
export interface PhotographedDate {
  readonly id: string;
  readonly title: string;
  readonly plannedDateTime: number;
  readonly start: number;
  readonly memories: number;
}

type Holder = Pick<PhotographedDate, 'id' | 'title' | 'plannedDateTime' | 'start'>;

/** Returns the date with the highest score; ties go to the earliest (stats.wire.9). */
export function bestOf<T extends Holder>(dates: readonly T[], score: (date: T) => number): T | undefined {
  let found: T | undefined;
  for (const date of dates.toSorted((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1))) {
    if (!found || score(date) > score(found)) found = date;
  }
  return found;
}

/** Describes the date that holds a record. Null without one. */
export function recordOf<T extends Holder>(
  date: T | undefined,
  value: (date: T) => number | null,
): RecordHolder | null {
  if (!date) return null;
  const { id, title, plannedDateTime } = date;
  return { plannedDateId: id, title, plannedDateTime: formatInstant(plannedDateTime), value: value(date) };
}

/** Computes the records: longest, shortest and first date, most memories, busiest month. */
export function recordsOf(
  completed: readonly CompletedDate[],
  photographed: readonly PhotographedDate[],
  months: readonly MonthFigures[],
) {
  const minutes = (date: CompletedDate) => date.minutes;
  const busiest = months.reduce<MonthFigures | null>((a, b) => (b.dates > (a?.dates ?? 0) ? b : a), null);
  return {
    longestDate: recordOf(bestOf(completed, minutes), minutes),
    shortestDate: recordOf(
      bestOf(completed, (date) => -date.minutes),
      minutes,
    ),
    mostMemories: recordOf(
      bestOf(photographed, ({ memories }) => memories),
      ({ memories }) => memories,
    ),
    firstDate: recordOf(
      bestOf(completed, () => 0),
      () => null,
    ),
    busiestMonth: busiest && { month: busiest.month, dates: busiest.dates },
  };
}
