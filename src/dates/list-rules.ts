import { plural } from '../base/number-texts.ts';
import { compareTitles } from '../ideas/compare-titles.ts';
import type { PlannedDate } from './contract.ts';
import type { DisplayStatus } from './display-status.ts';
import { DISPLAY_STATUSES, displayStatus } from './display-status.ts';

/** The filter tabs in order. Upcoming includes today's and overdue dates (dates.list.2). */
export const DATE_TABS = [
  { value: 'all', label: 'All', holds: DISPLAY_STATUSES },
  { value: 'upcoming', label: 'Upcoming', holds: ['upcoming', 'today', 'overdue'] },
  { value: 'in-progress', label: 'Active', holds: ['in-progress'] },
  { value: 'completed', label: 'Completed', holds: ['completed'] },
  { value: 'cancelled', label: 'Cancelled', holds: ['cancelled'] },
] as const satisfies readonly { value: string; label: string; holds: readonly DisplayStatus[] }[];

export type DateTab = (typeof DATE_TABS)[number]['value'];

/** The sort orders, in the select's order. The default is 'date-asc'. */
export const DATE_SORTS = [
  { value: 'date-desc', label: 'Date (Latest First)' },
  { value: 'date-asc', label: 'Date (Earliest First)' },
  { value: 'title', label: 'Title (A-Z)' },
  { value: 'status', label: 'Status' },
] as const;

export type DateSort = (typeof DATE_SORTS)[number]['value'];

function includes(tab: DateTab, display: DisplayStatus): boolean {
  const found: readonly DisplayStatus[] = DATE_TABS.find(({ value }) => value === tab)?.holds ?? [];
  return found.includes(display);
}

/** The visible tabs with their counts. Cancelled is shown only if there are cancelled dates (dates.list.2). */
export function tabsWithCounts(
  dates: readonly PlannedDate[],
  now: number,
  zone: string,
): { value: DateTab; label: string; count: number }[] {
  const displays = dates.map((date) => displayStatus(date, now, zone));
  return DATE_TABS.map(({ value, label }) => ({
    value,
    label,
    count: displays.filter((display) => includes(value, display)).length,
  })).filter(({ value, count }) => value !== 'cancelled' || count > 0);
}

interface SortableDate {
  readonly date: PlannedDate;
  readonly display: DisplayStatus;
  readonly time: number;
}

const byId = (a: SortableDate, b: SortableDate) => (a.date.id < b.date.id ? -1 : Number(a.date.id > b.date.id));
const earliestFirst = (a: SortableDate, b: SortableDate) => a.time - b.time || byId(a, b);
const rank = ({ display }: SortableDate) => DISPLAY_STATUSES.indexOf(display);
const inProgressFirst = (a: SortableDate, b: SortableDate) =>
  Number(b.display === 'in-progress') - Number(a.display === 'in-progress');

const ORDERS: Readonly<Record<DateSort, (a: SortableDate, b: SortableDate) => number>> = {
  'date-desc': (a, b) => earliestFirst(b, a),
  'date-asc': earliestFirst,
  title: (a, b) =>
    compareTitles({ id: '', title: a.date.dateIdea.title }, { id: '', title: b.date.dateIdea.title }) ||
    earliestFirst(a, b),
  status: (a, b) => rank(a) - rank(b) || earliestFirst(a, b),
};

/** The dates of a tab, sorted. Dates in progress come first in every order (dates.list.3). */
export function datesOfTab(
  dates: readonly PlannedDate[],
  { tab, sort }: { tab: DateTab; sort: DateSort },
  now: number,
  zone: string,
): PlannedDate[] {
  return dates
    .map((date) => ({ date, display: displayStatus(date, now, zone), time: Date.parse(date.plannedDateTime) }))
    .filter(({ display }) => includes(tab, display))
    .sort((a, b) => inProgressFirst(a, b) || ORDERS[sort](a, b))
    .map(({ date }) => date);
}

/** '1 date found', '12 dates found' */
export function dateSummary(count: number): string {
  return `${plural(count, 'date')} found`;
}

const NO_DATES: Readonly<Record<DateTab, string>> = {
  all: 'No dates planned yet! Start by browsing date ideas and planning our first romantic moment.',
  upcoming: 'No upcoming dates planned. Time to schedule some romance!',
  'in-progress': 'No dates currently in progress.',
  completed: 'No completed dates yet. Start creating beautiful memories!',
  cancelled: 'No cancelled dates.',
};

/** The text of an empty tab. */
export function noDatesText(tab: DateTab): string {
  return NO_DATES[tab];
}
