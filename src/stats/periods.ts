import { startOfDay } from '../base/calendar-days.ts';
import { dayOf } from '../base/instants.ts';
import type { CompletedDate } from './completed-dates.ts';

/** Minutes and completed dates of a period. */
export interface PeriodFigures {
  readonly minutes: number;
  readonly dates: number;
}

/** One calendar month, '2026-11'. */
export interface MonthFigures extends PeriodFigures {
  readonly month: string;
}

/** Sums minutes and dates. */
export function sumOf(figures: readonly PeriodFigures[]): PeriodFigures {
  return {
    minutes: figures.reduce((sum, { minutes }) => sum + minutes, 0),
    dates: figures.reduce((sum, { dates }) => sum + dates, 0),
  };
}

/** Returns the month of an instant in a zone, '2026-11'. */
export function monthOf(ms: number, zone: string): string {
  return dayOf(ms, zone).slice(0, 7);
}

function monthsLater(month: string, months: number): string {
  return Temporal.PlainYearMonth.from(month).add({ months }).toString();
}

/** Returns the first instant after a month in a zone. */
export function endOfMonth(month: string, zone: string): number {
  return startOfDay(`${monthsLater(month, 1)}-01`, zone);
}

/**
 * Groups completed dates by month, from the first date's month to the current one, empty months included (stats.wire.3). A
 * date belongs to the day of its actual start, in the couple's zone. Returns no months without dates.
 */
export function byMonth(
  dates: readonly Pick<CompletedDate, 'start' | 'minutes'>[],
  now: number,
  zone: string,
): MonthFigures[] {
  const sorted = dates.toSorted((a, b) => a.start - b.start);
  const [first, last] = [sorted.at(0), sorted.at(-1)];
  if (!first || !last) return [];
  const end = monthOf(Math.max(now, last.start), zone);
  const months: MonthFigures[] = [];
  let next = 0;
  for (let month = monthOf(first.start, zone); month <= end; month = monthsLater(month, 1)) {
    const until = endOfMonth(month, zone);
    let minutes = 0;
    let count = 0;
    for (let date = sorted[next]; date && date.start < until; date = sorted[++next]) {
      minutes += date.minutes;
      count += 1;
    }
    months.push({ month, minutes, dates: count });
  }
  return months;
}

/** The four periods of the breakdown, by the couple's calendar (stats.wire.2). */
export interface PeriodBreakdown {
  readonly thisMonth: PeriodFigures;
  readonly lastMonth: PeriodFigures;
  readonly thisYear: PeriodFigures;
  readonly lastYear: PeriodFigures;
}

/** Sums the months of each of the four periods. */
export function periodsOf(months: readonly MonthFigures[], now: number, zone: string): PeriodBreakdown {
  const month = monthOf(now, zone);
  const within = (prefix: string) => sumOf(months.filter((figures) => figures.month.startsWith(prefix)));
  return {
    thisMonth: within(month),
    lastMonth: within(monthsLater(month, -1)),
    thisYear: within(month.slice(0, 4)),
    lastYear: within(monthsLater(month, -12).slice(0, 4)),
  };
}
