import { plural } from '../base/text.ts';
import { compactDuration } from '../base/time.ts';
import { NO_TIME } from './total-texts.ts';

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

/** Average minutes per date, rounded down; 0 without dates. */
export function averageMinutesOf(totalMinutes: number, dates: number): number {
  return dates === 0 ? 0 : Math.floor(totalMinutes / dates);
}

/** Formats the average for the statistics screen: '45 minutes', '2 hours', '2h 30m', '0 hours'. */
export function averageText(minutes: number): string {
  if (minutes === 0) return NO_TIME;
  if (minutes < 60) return plural(minutes, 'minute');
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : compactDuration(minutes);
}

/** Average memories per completed date, with one decimal; 0 without dates (stats.wire.4). */
export function averagePerDate(memories: number, dates: number): number {
  return dates === 0 ? 0 : Math.round((memories / dates) * 10) / 10;
}

/** 'No dates yet', '1 beautiful date', '12 beautiful dates' */
export function datesText(count: number): string {
  return count === 0 ? 'No dates yet' : plural(count, 'beautiful date');
}

/** 'No memories yet', '1 precious memory', '12 precious memories' */
export function memoriesText(count: number): string {
  return count === 0 ? 'No memories yet' : plural(count, 'precious memory', 'precious memories');
}
