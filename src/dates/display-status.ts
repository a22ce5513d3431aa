import { DAY } from '../base/durations.ts';
import { dayOf } from '../base/instants.ts';
import type { PlannedDate } from './contract.ts';
import type { DateStatus } from './rules.ts';

/** The display statuses of a planned date, in the order of the Status sort. */
export const DISPLAY_STATUSES = ['in-progress', 'today', 'overdue', 'upcoming', 'completed', 'cancelled'] as const;

export type DisplayStatus = (typeof DISPLAY_STATUSES)[number];

/** The badges' texts. */
export const BADGE_TEXTS: Readonly<Record<DisplayStatus, string>> = {
  upcoming: 'Upcoming',
  today: 'Today!',
  overdue: 'Overdue',
  'in-progress': 'In Progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

const STATUS_OF: Readonly<Record<Exclude<DateStatus, 'Planned'>, DisplayStatus>> = {
  InProgress: 'in-progress',
  Completed: 'completed',
  Cancelled: 'cancelled',
};

/** The display status of a date, by the device's clock and zone (dates.list.7). */
export function displayStatus(
  date: Pick<PlannedDate, 'status' | 'plannedDateTime'>,
  now: number,
  zone: string,
): DisplayStatus {
  if (date.status !== 'Planned') return STATUS_OF[date.status];
  const planned = Date.parse(date.plannedDateTime);
  // A time two days away is not today in any zone. This skips slow calendar math in lists of thousands.
  const isNear = Math.abs(planned - now) < 2 * DAY;
  if (isNear && dayOf(planned, zone) === dayOf(now, zone)) return 'today';
  return planned < now ? 'overdue' : 'upcoming';
}
