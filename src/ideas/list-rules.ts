import { addDays, daysBetween } from '../base/calendar-days.ts';
import { cleanText } from '../base/clean-text.ts';
import { dayOf } from '../base/instants.ts';
import { plural } from '../base/number-texts.ts';
import { categoryName } from './categories.ts';
import { compareTitles } from './compare-titles.ts';
import type { DateIdea } from './contract.ts';

/** The sort orders of the ideas list. The first is the default (ideas.list.4). */
export const IDEA_SORTS = [
  { value: 'title', label: 'Title A-Z' },
  { value: 'category', label: 'Category' },
  { value: 'recent', label: 'Recently Added' },
  { value: 'popular', label: 'Most Popular' },
] as const;

export type IdeaSort = (typeof IDEA_SORTS)[number]['value'];

/** The filter of the ideas list, as stored in the URL. */
export interface IdeaFilter {
  readonly search: string;
  /** A category's value, or '' for 'All Categories'. */
  readonly category: string;
  readonly sort: IdeaSort;
  readonly showInactive: boolean;
  /** Shows only the ideas that both partners want. */
  readonly both: boolean;
}

type Ordered = Pick<DateIdea, 'id' | 'title' | 'category' | 'createdAt' | 'plannedDatesCount'>;

const newestFirst = (a: Ordered, b: Ordered) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id);

const ORDERS: Readonly<Record<IdeaSort, (a: Ordered, b: Ordered) => number>> = {
  title: compareTitles,
  category: (a, b) => compareTitles(byCategory(a), byCategory(b)) || compareTitles(a, b),
  recent: newestFirst,
  popular: (a, b) => b.plannedDatesCount - a.plannedDatesCount || compareTitles(a, b),
};

function byCategory({ category }: Ordered) {
  return { id: '', title: categoryName(category) };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Filters and sorts the ideas: case-insensitive search in title and description, category, sort order. */
export function visibleIdeas(ideas: readonly DateIdea[], filter: IdeaFilter): DateIdea[] {
  const term = folded(filter.search);
  return ideas
    .filter((idea) => filter.showInactive || idea.isActive)
    .filter((idea) => !filter.both || idea.hearts.mutual)
    .filter((idea) => filter.category === '' || idea.category === filter.category)
    .filter((idea) => term === '' || folded(idea.title).includes(term) || folded(idea.description ?? '').includes(term))
    .sort(ORDERS[filter.sort]);
}

function folded(raw: string): string {
  return cleanText(raw).toLowerCase();
}

/** The number in 'Show inactive (N)'. The switch is shown if it is above 0. */
export function inactiveCount(ideas: readonly Pick<DateIdea, 'isActive'>[]): number {
  return ideas.filter((idea) => !idea.isActive).length;
}

type SearchAndCategory = Pick<IdeaFilter, 'search' | 'category'>;

/** Whether a search or category filter is active, so that 'Clear Filters' is offered. */
export function hasFilters({ search, category }: SearchAndCategory): boolean {
  return cleanText(search) !== '' || category !== '';
}

/** '3 ideas found in Food & Dining for "pasta"'. */
export function ideaSummary(count: number, { search, category }: SearchAndCategory): string {
  const term = cleanText(search);
  return `${plural(count, 'idea')} found${category === '' ? '' : ` in ${categoryName(category)}`}${term === '' ? '' : ` for "${term}"`}`;
}

/** The text of an empty list. The category has precedence over the search term. */
export function noIdeasText({ search, category }: SearchAndCategory): string {
  const term = cleanText(search);
  if (category !== '') return `No date ideas found in ${categoryName(category)} category.`;
  if (term !== '') return `No date ideas found for "${term}".`;
  return 'No date ideas yet! Start by adding our first romantic idea.';
}

const NEW_DAYS = 7;
const POPULAR_DATES = 3;

/** The badges of a card: 'New' if created at most 7 days ago, 'Popular' if planned at least 3 times (ideas.list.6). */
export function ideaBadges(
  idea: Pick<DateIdea, 'createdAt' | 'plannedDatesCount'>,
  now: number,
  zone: string,
): ('New' | 'Popular')[] {
  const badges: ('New' | 'Popular')[] = [];
  if (dayOf(Date.parse(idea.createdAt), zone) >= addDays(dayOf(now, zone), -NEW_DAYS)) badges.push('New');
  if (idea.plannedDatesCount >= POPULAR_DATES) badges.push('Popular');
  return badges;
}

/**
 * Formats a calendar day relative to today: 'today',
 * 'yesterday', '3 days ago', '2 weeks ago', '2 months ago', '1 year ago', 'tomorrow', 'in 3 days'.
 */
export function relativeDay(then: number, now: number, zone: string): string {
  const days = daysBetween(dayOf(now, zone), dayOf(then, zone));
  if (days === 0) return 'today';
  if (days === -1) return 'yesterday';
  if (days === 1) return 'tomorrow';
  const amount = dayAmount(Math.abs(days));
  return days < 0 ? `${amount} ago` : `in ${amount}`;
}

function dayAmount(days: number): string {
  if (days < 7) return plural(days, 'day');
  if (days < 30) return plural(Math.floor(days / 7), 'week');
  if (days < 365) return plural(Math.floor(days / 30), 'month');
  return plural(Math.floor(days / 365), 'year');
}

/** 'Last planned 2 weeks ago', or null if the idea was never planned. */
export function lastPlannedText(
  idea: { readonly lastPlannedDate: string | null },
  now: number,
  zone: string,
): string | null {
  return idea.lastPlannedDate === null
    ? null
    : `Last planned ${relativeDay(Date.parse(idea.lastPlannedDate), now, zone)}`;
}

/** The card's 'Last planned …', or 'Created …' if the idea was never planned (ideas.list.7). */
export function ideaAgeText(idea: Pick<DateIdea, 'lastPlannedDate' | 'createdAt'>, now: number, zone: string): string {
  // The server's clock may be ahead of the device's, but nothing is created tomorrow.
  const created = Math.min(Date.parse(idea.createdAt), now);
  return lastPlannedText(idea, now, zone) ?? `Created ${relativeDay(created, now, zone)}`;
}

/** '1 time planned', '3 times planned' (dates.plan.1). */
export function timesPlannedText(count: number): string {
  return `${plural(count, 'time')} planned`;
}
