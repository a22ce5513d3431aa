import { daysBetween } from '../base/calendar-days.ts';
import { DAY } from '../base/durations.ts';
import { dayOf } from '../base/instants.ts';
import { plural } from '../base/number-texts.ts';

/** A completed date: its actual start in milliseconds. */
export interface PastDate {
  readonly start: number;
}

/** Past dates that are equally near: how many years ago they were, and whether on today's day of the year. */
export interface PastDay<T> {
  readonly dates: readonly T[];
  readonly years: number;
  readonly isToday: boolean;
}

const YEARS = ['A year', 'Two years', 'Three years', 'Four years', 'Five years', 'Six years', 'Seven years'];

/** The heading above it: 'A year ago today', 'Two years ago this week'. */
export function pastDateTitle({ years, isToday }: Omit<PastDay<unknown>, 'dates'>): string {
  return `${YEARS[years - 1] ?? plural(years, 'year')} ago ${isToday ? 'today' : 'this week'}`;
}

/** Returns the Monday of a day's week. */
function mondayOf(day: string): Temporal.PlainDate {
  // In Temporal, Monday is 1.
  const date = Temporal.PlainDate.from(day);
  return date.subtract({ days: date.dayOfWeek - 1 });
}

/**
 * Finds the completed dates of the day to recall on a day such as `2026-11-21`: the same day of an earlier year, else a
 * day of the same week, Monday to Sunday. The nearest day wins, then the latest year. Of several dates on that day, the
 * one with the most memories is to be shown. Days are in `zone`, and a date belongs to the day of its actual start.
 * @returns null if there is none
 */
export function findPastDay<T extends PastDate>(
  completed: readonly T[],
  today: string,
  zone: string,
): PastDay<T> | null {
  const week = anniversariesOf(today);
  const noon = Date.parse(`${today}T12:00:00Z`);
  let best: { readonly dates: T[]; readonly years: number; readonly daysOff: number } | null = null;
  for (const date of completed) {
    if (!isNearInYear(date.start, noon)) continue;
    const day = dayOf(date.start, zone);
    const anniversary = week.get(day.slice(5));
    if (!anniversary) continue;
    const { daysOff } = anniversary;
    const years = anniversary.year - Number(day.slice(0, 4));
    if (years < 1) continue;
    const order = best === null ? -1 : Math.abs(daysOff) - Math.abs(best.daysOff) || years - best.years;
    if (order < 0) best = { dates: [date], years, daysOff };
    else if (order === 0) best?.dates.push(date);
  }
  return best && { dates: best.dates, years: best.years, isToday: best.daysOff === 0 };
}

/** The length of a year in the calendar, on average. */
const YEAR = 365.2425 * DAY;
/** A week is at most six days away, a zone at most one, and a leap year shifts a day by up to two. */
const NEAR = 9.5 * DAY;

/** Whether two instants are so near in their years that they may be in the same week of it. Costs far less than `dayOf`. */
function isNearInYear(one: number, other: number): boolean {
  const apart = Math.abs(one - other) % YEAR;
  return Math.min(apart, YEAR - apart) <= NEAR;
}

/** The days of today's week by month and day ('11-21'), with their year and offset from today in days. */
function anniversariesOf(today: string): Map<string, { year: number; daysOff: number }> {
  const monday = mondayOf(today);
  const week = new Map<string, { year: number; daysOff: number }>();
  for (let days = 0; days < 7; days += 1) {
    const day = monday.add({ days });
    const anniversary = { year: day.year, daysOff: daysBetween(today, day.toString()) };
    week.set(day.toString().slice(5), anniversary);
    // In other years, February 29 falls on the 28th.
    if (day.monthCode === 'M02' && day.day === 28 && !day.inLeapYear) week.set('02-29', anniversary);
  }
  return week;
}
