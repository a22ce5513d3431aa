import { daysBetween } from '../base/calendar-days.ts';
import { dayOf } from '../base/instants.ts';
import { plural } from '../base/number-texts.ts';
import type { DateIdea } from './contract.ts';

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
