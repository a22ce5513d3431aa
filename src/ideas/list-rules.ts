import { cleanText } from '../base/clean-text.ts';
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
