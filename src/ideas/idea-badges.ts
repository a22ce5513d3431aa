import { addDays } from '../base/calendar-days.ts';
import { dayOf } from '../base/instants.ts';
import type { DateIdea } from './contract.ts';

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
