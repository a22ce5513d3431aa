/** A stretch of the calendar in figures. */
export interface Figures {
  readonly minutes: number;
  readonly dates: number;
}

/** One month of the couple's calendar, '2026-11'. */
export interface Month extends Figures {
  readonly month: string;
}

/** The four periods of the breakdown (spec 9, contract 3). */
export interface Periods {
  readonly thisMonth: Figures;
  readonly lastMonth: Figures;
  readonly thisYear: Figures;
  readonly lastYear: Figures;
}

/** What the period selector offers (spec 2). */
export const PERIODS = [
  { value: 'all', label: 'All Time' },
  { value: 'year', label: 'This Year' },
  { value: 'month', label: 'This Month' },
] as const;

export type Period = (typeof PERIODS)[number]['value'];

/** A row of the breakdown: its name as contract 5 has it. */
export interface TrendRow extends Figures {
  readonly label: string;
}

/** What a chosen period shows: its rows, its months, and all of it in one sum. */
export interface Trends {
  readonly rows: readonly TrendRow[];
  readonly months: readonly Month[];
  readonly sum: Figures;
}

/**
 * The time trends within a period (contract 5: it filters what is shown). `thisMonth` is the present month of the
 * couple's calendar; what a period does not hold is left out: in January last month was last year.
 */
export function trendsOf(period: Period, periods: Periods, byMonth: readonly Month[], thisMonth: string): Trends {
  const year = thisMonth.slice(0, 4);
  const row = (label: string, { minutes, dates }: Figures): TrendRow => ({ label, minutes, dates });
  const now = row('This month', periods.thisMonth);
  const before = row('Last month', periods.lastMonth);
  const thisYear = row('This year', periods.thisYear);
  const rows = {
    all: [now, before, thisYear, row('Last year', periods.lastYear)],
    year: thisMonth.endsWith('-01') ? [now, thisYear] : [now, before, thisYear],
    month: [now],
  }[period];
  const within = { all: '', year, month: thisMonth }[period];
  const months = byMonth.filter(({ month }) => month.startsWith(within));
  const sum = months.reduce<Figures>(
    (total, month) => ({ minutes: total.minutes + month.minutes, dates: total.dates + month.dates }),
    { minutes: 0, dates: 0 },
  );
  return { rows, months, sum };
}

/** A year's twelve months; null where our story has not begun yet or the month is still to come. */
export interface Year {
  readonly year: string;
  readonly months: readonly (Month | null)[];
}

/** More columns than this have no room for words of their own: a longer story is shown year by year. */
const ONE_ROW = 12;

/** The months in rows that leave each its label: one row of twelve at most, or a row for each year, the latest first. */
export function yearsOf(months: readonly Month[]): readonly Year[] | null {
  if (months.length <= ONE_ROW) return null;
  const byName = new Map(months.map((month) => [month.month, month]));
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))].toReversed();
  return years.map((year) => ({
    year,
    months: Array.from(
      { length: 12 },
      (_, index) => byName.get(`${year}-${String(index + 1).padStart(2, '0')}`) ?? null,
    ),
  }));
}

/** Hours for the label on a column: whole ones from ten on, else one decimal where it is not a whole hour. */
export function hoursLabel(minutes: number): string {
  const hours = minutes / 60;
  if (hours >= 10) return String(Math.round(hours));
  const one = Math.round(hours * 10) / 10;
  return Number.isInteger(one) ? String(one) : one.toFixed(1);
}

/** 'November 2026' of '2026-11'. */
export function monthName(month: string): string {
  return named(month, { month: 'long', year: 'numeric' });
}

/** 'Nov' of '2026-11'. */
export function shortMonth(month: string): string {
  return named(month, { month: 'short' });
}

function named(month: string, options: Intl.DateTimeFormatOptions): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', { ...options, timeZone: 'UTC' });
}
