import { plural } from '../base/text.ts';
import { addDays, dayOf, daysBetween } from '../base/time.ts';
import type { PlannedDate } from '../dates/contract.ts';

/** A date of an earlier year, and what is said above it: 'A year ago today', 'Two years ago this week'. */
export interface Recalled {
  readonly date: PlannedDate;
  readonly title: string;
}

const YEARS = ['A year', 'Two years', 'Three years', 'Four years', 'Five years', 'Six years', 'Seven years'];

/**
 * The completed date to be recalled today: one of this very day in an earlier year, else one of this week, Monday to
 * Sunday; of several the one nearest to today's day, then the latest year, then the one with more memories. Null where
 * there is none. Days are those of `zone`, and a date belongs to the day on which it really started.
 */
export function recallOf(completed: readonly PlannedDate[], now: number, zone: string): Recalled | null {
  const today = dayOf(now, zone);
  const fitting = completed.flatMap((date) => {
    const day = dayOf(Date.parse(date.actualStartTime ?? date.plannedDateTime), zone);
    const years = yearsBetween(day, today);
    return years === null ? [] : [{ date, ...years }];
  });
  const [best] = fitting.toSorted(
    (a, b) => Math.abs(a.off) - Math.abs(b.off) || a.years - b.years || b.date.memoryCount - a.date.memoryCount,
  );
  if (!best) return null;
  const ago = YEARS[best.years - 1] ?? plural(best.years, 'year');
  return { date: best.date, title: `${ago} ago ${best.off === 0 ? 'today' : 'this week'}` };
}

/** How many years before this week's same day a day lies, and how many days from today that is; null outside the week. */
function yearsBetween(day: string, today: string): { years: number; off: number } | null {
  // Monday is 1 of Temporal's days of the week.
  const { dayOfWeek } = Temporal.PlainDate.from(today);
  const monday = addDays(today, 1 - dayOfWeek);
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
