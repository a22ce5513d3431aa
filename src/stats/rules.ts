import { plural } from '../base/text.ts';
import { compactDuration } from '../base/time.ts';
import { CATEGORIES, categoryName } from '../ideas/rules.ts';
import { formatTotal, NO_TIME } from './totals.ts';

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

/** A category's share of the time. */
export interface CategoryFigures {
  /** The displayed name: 'Food & Dining'. */
  readonly categoryName: string;
  readonly totalTime: string;
  readonly totalMinutes: number;
  readonly completedCount: number;
}

/** Groups completed dates by category, most time first; ties in the order of the categories (stats.wire.6). */
export function categoriesOf(dates: readonly Pick<CompletedDate, 'category' | 'minutes'>[]): CategoryFigures[] {
  return CATEGORIES.flatMap(({ value }) => {
    const own = dates.filter(({ category }) => category === value);
    if (own.length === 0) return [];
    const totalMinutes = totalMinutesOf(own);
    const totalTime = formatTotal(totalMinutes);
    return [{ categoryName: categoryName(value), totalTime, totalMinutes, completedCount: own.length }];
  }).sort((a, b) => b.totalMinutes - a.totalMinutes);
}

/** Returns the category with the most completed dates, then the most time; null without dates. */
export function favoriteOf(categories: readonly CategoryFigures[]): CategoryFigures | null {
  const [first] = categories.toSorted((a, b) => b.completedCount - a.completedCount || b.totalMinutes - a.totalMinutes);
  return first ?? null;
}

/** Categories with their own icon. Others get a heart (stats.screen.4). */
const ICONS = [
  'outdoor',
  'indoor',
  'romantic',
  'adventure',
  'food',
  'entertainment',
  'relaxing',
  'cultural',
  'sports',
  'travel',
  'active',
] as const;

/** Returns the icon for a category's displayed name: 'food' for 'Food & Dining'. */
export function categoryIcon(name: string): (typeof ICONS)[number] | 'heart' {
  const first = /^\p{L}*/u.exec(name.toLowerCase())?.[0];
  return ICONS.find((icon) => icon === first) ?? 'heart';
}

/** The 12 colors: hues in degrees, with neighbors far apart. */
const PALETTE = [2, 145, 240, 70, 312, 190, 25, 270, 100, 215, 42, 340];

/** Returns the hue of the category at an index of the list. The palette repeats. */
export function paletteHue(index: number): number {
  return PALETTE[index % PALETTE.length] ?? 0;
}
