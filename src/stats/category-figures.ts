import { CATEGORIES, categoryName } from '../ideas/categories.ts';
import { type CompletedDate, totalMinutesOf } from './completed-dates.ts';
import { formatTotal } from './total-texts.ts';

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
