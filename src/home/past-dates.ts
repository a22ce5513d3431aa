import { addDays, daysBetween, startOfDay } from '../base/calendar.ts';
import { plural } from '../base/text.ts';
import { dayOf } from '../base/time.ts';

/** A completed date: its actual start in milliseconds, and how many memories it has. */
export interface PastDate {
  readonly start: number;
  readonly memoryCount: number;
}

/** The past date to show, how many years ago it was, and whether it was on today's day of the year. */
export interface PastDateMatch<T> {
  readonly date: T;
  readonly years: number;
  readonly isToday: boolean;
}

const YEARS = ['A year', 'Two years', 'Three years', 'Four years', 'Five years', 'Six years', 'Seven years'];

/** The heading above it: 'A year ago today', 'Two years ago this week'. */
export function pastDateTitle({ years, isToday }: Pick<PastDateMatch<unknown>, 'years' | 'isToday'>): string {
  return `${YEARS[years - 1] ?? plural(years, 'year')} ago ${isToday ? 'today' : 'this week'}`;
}

/** Returns the Monday of a day's week. */
function mondayOf(day: string): string {
  // In Temporal, Monday is 1.
  return addDays(day, 1 - Temporal.PlainDate.from(day).dayOfWeek);
}

/**
 * Returns the time ranges, in milliseconds, that can contain a past date for `today`: the same week of every earlier
 * year since `since`, extended by a day on both sides. `findPastDate` then decides about leap days.
 */
export function searchWindows(today: string, since: number, zone: string): { from: number; until: number }[] {
  const monday = Temporal.PlainDate.from(mondayOf(today));
  const windows: { from: number; until: number }[] = [];
  for (let years = 1; years <= monday.year - Number(dayOf(since, zone).slice(0, 4)) + 1; years += 1) {
    const start = monday.subtract({ years });
    windows.push({
      from: startOfDay(start.subtract({ days: 1 }).toString(), zone),
      until: startOfDay(start.add({ days: 8 }).toString(), zone),
    });
  }
  return windows;
}

/**
 * Finds the completed date to show on a day such as `2026-11-21`: one of the same day in an earlier year, else one of
 * the same week, Monday to Sunday. The nearest day wins, then the latest year, then more memories. Days are in `zone`,
 * and a date belongs to the day of its actual start.
 * @returns null if there is none
 */
export function findPastDate<T extends PastDate>(
  completed: readonly T[],
  today: string,
  zone: string,
): PastDateMatch<T> | null {
  const candidates = completed.flatMap((date) => {
    const years = yearsBetween(dayOf(date.start, zone), today);
    return years === null ? [] : [{ date, ...years }];
  });
  const [best] = candidates.toSorted(
    (a, b) => Math.abs(a.daysOff) - Math.abs(b.daysOff) || a.years - b.years || b.date.memoryCount - a.date.memoryCount,
  );
  return best ? { date: best.date, years: best.years, isToday: best.daysOff === 0 } : null;
}

/** Years from `day` to its anniversary in today's week, and that anniversary's offset from today in days, or null. */
function yearsBetween(day: string, today: string): { years: number; daysOff: number } | null {
  const monday = mondayOf(today);
  // The week of New Year has days of two years.
  for (const year of new Set([monday.slice(0, 4), addDays(monday, 6).slice(0, 4)])) {
    // In other years, February 29 falls on the 28th.
    const anniversary = Temporal.PlainDate.from(day)
      .with({ year: Number(year) })
      .toString();
    const sinceMonday = daysBetween(monday, anniversary);
    const years = Number(year) - Number(day.slice(0, 4));
    if (years >= 1 && sinceMonday >= 0 && sinceMonday <= 6) return { years, daysOff: daysBetween(today, anniversary) };
  }
  return null;
}
