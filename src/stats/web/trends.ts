import { type MonthFigures, type PeriodBreakdown, type PeriodFigures, sumOf } from '../periods.ts';

/** The options of the period selector. */
export const PERIOD_OPTIONS = [
  { value: 'all', label: 'All Time' },
  { value: 'year', label: 'This Year' },
  { value: 'month', label: 'This Month' },
] as const;

export type Period = (typeof PERIOD_OPTIONS)[number]['value'];

/** A row of the breakdown. */
export interface TrendRow extends PeriodFigures {
  readonly label: string;
}

/** What the selected period shows: rows, months, and their sum. */
export interface Trends {
  readonly rows: readonly TrendRow[];
  readonly months: readonly MonthFigures[];
  readonly sum: PeriodFigures;
}

/**
 * Filters the time trends by the selected period. Rows outside of the period are left out: in January, last
 * month was last year.
 * @param thisMonth the current month of the couple's calendar, '2026-11'
 */
export function trendsOf(
  period: Period,
  breakdown: PeriodBreakdown,
  byMonth: readonly MonthFigures[],
  thisMonth: string,
): Trends {
  const year = thisMonth.slice(0, 4);
  const row = (label: string, { minutes, dates }: PeriodFigures): TrendRow => ({ label, minutes, dates });
  const thisMonthRow = row('This month', breakdown.thisMonth);
  const lastMonthRow = row('Last month', breakdown.lastMonth);
  const thisYearRow = row('This year', breakdown.thisYear);
  const rows = {
    all: [thisMonthRow, lastMonthRow, thisYearRow, row('Last year', breakdown.lastYear)],
    year: thisMonth.endsWith('-01') ? [thisMonthRow, thisYearRow] : [thisMonthRow, lastMonthRow, thisYearRow],
    month: [thisMonthRow],
  }[period];
  const within = { all: '', year, month: thisMonth }[period];
  const months = byMonth.filter(({ month }) => month.startsWith(within));
  return { rows, months, sum: sumOf(months) };
}

/** The twelve months of a year; null before the first date and after the current month. */
export interface TrendYear {
  readonly year: string;
  readonly months: readonly (MonthFigures | null)[];
}

/** The most columns that have room for their labels. More months are shown year by year. */
const ONE_ROW = 12;

/** Splits more than twelve months into rows, one per year, the latest first. Null if one row is enough. */
export function yearsOf(months: readonly MonthFigures[]): readonly TrendYear[] | null {
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

/** Formats minutes as hours for a column's label: whole from ten hours on, else with one decimal if needed. */
export function hoursLabel(minutes: number): string {
  const hours = minutes / 60;
  if (hours >= 10) return String(Math.round(hours));
  return String(Math.round(hours * 10) / 10);
}
