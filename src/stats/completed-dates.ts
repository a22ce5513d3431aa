/** A completed date with its idea: times in milliseconds, `minutes` rounded down. */
export interface CompletedDate {
  readonly id: string;
  readonly title: string;
  /** A category's value. */
  readonly category: string;
  readonly plannedDateTime: number;
  readonly start: number;
  readonly end: number;
  readonly minutes: number;
}

/** Sums the dates' whole minutes (stats.wire.1). */
export function totalMinutesOf(dates: readonly Pick<CompletedDate, 'minutes'>[]): number {
  return dates.reduce((sum, { minutes }) => sum + minutes, 0);
}
