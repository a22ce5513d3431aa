import { plural } from '../base/text.ts';
import { compactDuration } from '../base/time.ts';
import { CATEGORIES, categoryName } from '../ideas/rules.ts';
import { formatTotal, NO_TIME } from './totals.ts';

/** A completed date as the statistics see it: times in milliseconds, `minutes` whole ones, rounded down. */
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

/** The sum of the dates' whole minutes (contract 3). */
export function totalMinutesOf(dates: readonly Pick<CompletedDate, 'minutes'>[]): number {
  return dates.reduce((sum, { minutes }) => sum + minutes, 0);
}

/** Minutes a date on average, rounded down; 0 without dates. */
export function averageMinutesOf(totalMinutes: number, dates: number): number {
  return dates === 0 ? 0 : Math.floor(totalMinutes / dates);
}

/** The average's text on the statistics screen: '45 minutes', '2 hours', '2h 30m', '0 hours' (spec 9). */
export function averageText(minutes: number): string {
  if (minutes === 0) return NO_TIME;
  if (minutes < 60) return plural(minutes, 'minute');
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : compactDuration(minutes);
}

/** Memories by completed dates, one decimal; 0 without dates (contract 3). */
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
  /** As it is shown: 'Food & Dining'. */
  readonly categoryName: string;
  readonly totalTime: string;
  readonly totalMinutes: number;
  readonly completedCount: number;
}

/** The categories of completed dates, most time first; equals in the spec's order (contract 3). */
export function categoriesOf(dates: readonly Pick<CompletedDate, 'category' | 'minutes'>[]): CategoryFigures[] {
  return CATEGORIES.flatMap(({ value }) => {
    const own = dates.filter(({ category }) => category === value);
    if (own.length === 0) return [];
    const totalMinutes = totalMinutesOf(own);
    const totalTime = formatTotal(totalMinutes);
    return [{ categoryName: categoryName(value), totalTime, totalMinutes, completedCount: own.length }];
  }).sort((a, b) => b.totalMinutes - a.totalMinutes);
}

/** The category of most completed dates, then of most time (contract 3). */
export function favoriteOf(categories: readonly CategoryFigures[]): CategoryFigures | null {
  const [first] = categories.toSorted((a, b) => b.completedCount - a.completedCount || b.totalMinutes - a.totalMinutes);
  return first ?? null;
}

/** The icons that categories have by name; any other has a heart (spec 9). */
const ICONS = [
  ...['outdoor', 'indoor', 'romantic', 'adventure', 'food', 'entertainment'],
  ...['relaxing', 'cultural', 'sports', 'travel', 'active'],
] as const;

/** A category's icon by its shown name: 'food' for 'Food & Dining'. */
export function categoryIcon(name: string): (typeof ICONS)[number] | 'heart' {
  const first = /^\p{L}*/u.exec(name.toLowerCase())?.[0];
  return ICONS.find((icon) => icon === first) ?? 'heart';
}

/** The 12 colours (spec 3, Category stat): hues of tinted paper, in degrees, neighbours far apart. */
const PALETTE = [2, 145, 240, 70, 312, 190, 25, 270, 100, 215, 42, 340];

/** The hue of the category at a place in the list: the 12 of the palette, then the same again. */
export function paletteHue(index: number): number {
  return PALETTE[index % PALETTE.length] ?? 0;
}
