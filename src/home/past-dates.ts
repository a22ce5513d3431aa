import { addDays, daysBetween, startOfDay } from '../base/calendar.ts';
import { plural } from '../base/text.ts';
import { dayOf } from '../base/time.ts';

/** A completed date as far as recalling it goes: when it really began, in milliseconds, and how many memories it has. */
export interface PastDate {
  readonly start: number;
  readonly memoryCount: number;
}

/** The date to be recalled, how many years ago it was, and whether today is its very day. */
export interface PastDateMatch<T> {
  readonly date: T;
  readonly years: number;
  readonly isToday: boolean;
}

const YEARS = ['A year', 'Two years', 'Three years', 'Four years', 'Five years', 'Six years', 'Seven years'];

/** What is said above it: 'A year ago today', 'Two years ago this week'. */
export function pastDateTitle({ years, isToday }: Pick<PastDateMatch<unknown>, 'years' | 'isToday'>): string {
  return `${YEARS[years - 1] ?? plural(years, 'year')} ago ${isToday ? 'today' : 'this week'}`;
}

/** The Monday of a day's week. */
function mondayOf(day: string): string {
  // Monday is 1 of Temporal's days of the week.
  return addDays(day, 1 - Temporal.PlainDate.from(day).dayOfWeek);
}

/**
 * The stretches of time in which whatever can be recalled on a day began: this week of each year back to the one of
 * `since`, a day wider on either side, so that `recallOf` decides about leap days. At most one to a year.
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
 * The completed date to be recalled on a day, `2026-11-21`: one of this very day in an earlier year, else one of this
 * week, Monday to Sunday; of several the one nearest to the day, then the latest year, then the one with more memories.
 * Null where there is none. Days are those of `zone`, and a date belongs to the day on which it really started.
 */
export function findPastDate<T extends PastDate>(
  completed: readonly T[],
  today: string,
  zone: string,
): PastDateMatch<T> | null {
  const fitting = completed.flatMap((date) => {
    const years = yearsBetween(dayOf(date.start, zone), today);
    return years === null ? [] : [{ date, ...years }];
  });
  const [best] = fitting.toSorted(
    (a, b) => Math.abs(a.off) - Math.abs(b.off) || a.years - b.years || b.date.memoryCount - a.date.memoryCount,
  );
  return best ? { date: best.date, years: best.years, isToday: best.off === 0 } : null;
}

/** How many years before this week's same day a day lies, and how many days from today that is; null outside the week. */
function yearsBetween(day: string, today: string): { years: number; off: number } | null {
  const monday = mondayOf(today);
  // A week at the turn of the year has days of two years.
  for (const year of new Set([monday.slice(0, 4), addDays(monday, 6).slice(0, 4)])) {
    // The 29th of February is remembered on the 28th where there is none.
    const again = Temporal.PlainDate.from(day)
      .with({ year: Number(year) })
      .toString();
    const sinceMonday = daysBetween(monday, again);
    const years = Number(year) - Number(day.slice(0, 4));
    if (years >= 1 && sinceMonday >= 0 && sinceMonday <= 6) return { years, off: daysBetween(today, again) };
  }
  return null;
}
