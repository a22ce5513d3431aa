import { daysBetween } from '../base/calendar-days.ts';
import { dayOf } from '../base/instants.ts';
import { type CategoryFigures, categoriesOf, favoriteOf } from './category-figures.ts';
import { type CompletedDate, totalMinutesOf } from './completed-dates.ts';
import { byMonth, type MonthFigures } from './periods.ts';
import { bestOf, recordOf } from './records.ts';

/** The figures of one year (stats.year.2). A date belongs to the year of its actual start in the couple's zone. */

/** How many photographs the story of a year shows at most. */
const PHOTOGRAPHS = 24;
/** How many places it names at most. */
const PLACES = 5;

/** A completed date with its place and its number of memories. */
export interface YearDate extends CompletedDate {
  readonly location: string | null;
  readonly memories: number;
}

/** A category's part of a year. */
type CategoryOfYear = Pick<CategoryFigures, 'categoryName' | 'completedCount' | 'totalMinutes'>;

/** Returns the year of an instant in a zone. */
export function yearOf(ms: number, zone: string): number {
  return Number(dayOf(ms, zone).slice(0, 4));
}

/** Returns the first instant of a year in a zone. */
export function startOfYear(year: number, zone: string): number {
  return Temporal.PlainDate.from({ year, month: 1, day: 1 }).toZonedDateTime(zone).epochMilliseconds;
}

/** Groups dates by year. The latest year comes first. */
export function byYear<T extends { readonly start: number }>(
  dates: readonly T[],
  zone: string,
): { readonly year: number; readonly dates: readonly T[] }[] {
  const years: { readonly year: number; readonly dates: T[] }[] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const date of dates.toSorted((a, b) => a.start - b.start)) {
    if (date.start >= until) {
      const year = yearOf(date.start, zone);
      until = startOfYear(year + 1, zone);
      years.push({ year, dates: [] });
    }
    years.at(-1)?.dates.push(date);
  }
  return years.toReversed();
}

/**
 * Computes what the dates of a year say, in any order: everything of a year's story except ideas, notes and photographs,
 * which come from other tables.
 */
export function figuresOfYear(year: number, unsorted: readonly YearDate[], zone: string) {
  const dates = unsorted.toSorted((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1));
  const days = dates.map(({ start }) => dayOf(start, zone));
  const categories = categoriesOf(dates);
  return {
    year,
    totalMinutes: totalMinutesOf(dates),
    dates: dates.length,
    memories: dates.reduce((sum, { memories }) => sum + memories, 0),
    months: monthsOfYear(year, dates, zone),
    firstDate: recordOf(dates[0], () => null),
    lastDate: recordOf(dates.at(-1), () => null),
    longestDate: recordOf(
      bestOf(dates, ({ minutes }) => minutes),
      ({ minutes }) => minutes,
    ),
    mostMemories: recordOf(
      bestOf(
        dates.filter(({ memories }) => memories > 0),
        ({ memories }) => memories,
      ),
      ({ memories }) => memories,
    ),
    favoriteCategory: categoryOfYear(favoriteOf(categories)),
    categories: categories.map(categoryOfYear),
    places: placesOf(dates),
    weekdays: weekdaysOf(days),
    longestGapDays: longestGapOf(days),
  };
}

function monthsOfYear(year: number, dates: readonly YearDate[], zone: string): MonthFigures[] {
  const figures = new Map(byMonth(dates, 0, zone).map((month) => [month.month, month]));
  return Array.from({ length: 12 }, (_, index) => {
    const month = Temporal.PlainYearMonth.from({ year, month: index + 1 }).toString();
    return figures.get(month) ?? { month, minutes: 0, dates: 0 };
  });
}

function categoryOfYear<T extends CategoryFigures | null>(figures: T): CategoryOfYear | Extract<T, null>;
function categoryOfYear(figures: CategoryFigures | null): CategoryOfYear | null {
  if (figures === null) return null;
  const { categoryName, completedCount, totalMinutes } = figures;
  return { categoryName, completedCount, totalMinutes };
}

/** Counts the dates by place; ties go to the place visited first, and so does the spelling. */
function placesOf(dates: readonly YearDate[]): { location: string; dates: number }[] {
  const places = new Map<string, { location: string; dates: number }>();
  for (const { location } of dates) {
    if (location === null) continue;
    const key = location.toLowerCase();
    const place = places.get(key) ?? { location, dates: 0 };
    place.dates += 1;
    places.set(key, place);
  }
  return [...places.values()].sort((a, b) => b.dates - a.dates).slice(0, PLACES);
}

function weekdaysOf(days: readonly string[]): { weekday: number; dates: number }[] {
  const weekdays = Array.from({ length: 7 }, (_, index) => ({ weekday: index + 1, dates: 0 }));
  for (const day of days) {
    const found = weekdays[Temporal.PlainDate.from(day).dayOfWeek - 1];
    if (found) found.dates += 1;
  }
  return weekdays;
}

function longestGapOf(days: readonly string[]): number {
  return days.reduce((longest, day, index) => Math.max(longest, daysBetween(days[index - 1] ?? day, day)), 0);
}

/**
 * Chooses the dates whose photographs the story of a year shows: as many from each month as it has, up to the same number,
 * and within a month spread over it. In the order of the dates.
 */
export function datesToShow<T extends { readonly start: number }>(
  dates: readonly T[],
  zone: string,
  most = PHOTOGRAPHS,
): T[] {
  const months = [
    ...Map.groupBy(
      dates.toSorted((a, b) => a.start - b.start),
      ({ start }) => dayOf(start, zone).slice(0, 7),
    ).values(),
  ];
  const shares = months.map(() => 0);
  let left = Math.min(most, dates.length);
  while (left > 0) {
    for (const [index, month] of months.entries()) {
      const share = shares[index] ?? 0;
      if (left === 0 || share === month.length) continue;
      shares[index] = share + 1;
      left -= 1;
    }
  }
  return months.flatMap((month, index) => {
    const share = shares[index] ?? 0;
    return month.filter(
      (_, n) => Math.floor(((n + 1) * share) / month.length) > Math.floor((n * share) / month.length),
    );
  });
}
