import { clockTime, longDate } from '../base/date-formats.ts';
import { DAY, HOUR, longDuration, MINUTE, minutesBetween } from '../base/durations.ts';
import { plural } from '../base/number-texts.ts';
import { timeSince } from '../base/relative-time.ts';
import type { PlannedDate } from './contract.ts';
import { displayStatus } from './display-status.ts';

const SECOND = 1000;

/** 'N days/hours/minutes to go', rounded down but never 0, or 'Starting soon!' after the time has passed (home.dashboard.9). */
export function countdownText(plannedDateTime: string, now: number): string {
  const left = Date.parse(plannedDateTime) - now;
  if (left <= 0) return 'Starting soon!';
  if (left >= DAY) return `${plural(Math.floor(left / DAY), 'day')} to go`;
  if (left >= HOUR) return `${plural(Math.floor(left / HOUR), 'hour')} to go`;
  return `${plural(Math.max(1, Math.floor(left / MINUTE)), 'minute')} to go`;
}

/**
 * The time-until text of a card (dates.list.8): '3 days to go', 'Starting soon!', 'Started 2 hours
 * ago', 'Started just now', '3 days ago', 'Was planned for 2 days ago', ''. A past time slightly ahead of the device's
 * clock counts as now.
 */
export function timeUntilText(
  date: Pick<PlannedDate, 'status' | 'plannedDateTime' | 'actualStartTime' | 'actualEndTime'>,
  now: number,
  zone: string,
): string {
  const ago = (instant: string) => {
    const then = Date.parse(instant);
    return now - then < SECOND ? 'just now' : timeSince(then, now);
  };
  switch (displayStatus(date, now, zone)) {
    case 'upcoming':
    case 'today':
      return countdownText(date.plannedDateTime, now);
    case 'in-progress':
      return `Started ${ago(date.actualStartTime ?? date.plannedDateTime)}`;
    case 'completed':
      return ago(date.actualEndTime ?? date.plannedDateTime);
    case 'overdue':
      return `Was planned for ${ago(date.plannedDateTime)}`;
    case 'cancelled':
      return '';
  }
}

/** The planned duration, such as '2 hours 30 minutes', or null without a planned end. */
export function plannedDurationText(date: Pick<PlannedDate, 'plannedDateTime' | 'endDateTime'>): string | null {
  return date.endDateTime === null ? null : durationText(date.plannedDateTime, date.endDateTime);
}

/** The actual duration, such as '2 hours 30 minutes', or null if the date has not ended. */
export function actualDurationText(date: Pick<PlannedDate, 'actualStartTime' | 'actualEndTime'>): string | null {
  return date.actualStartTime === null || date.actualEndTime === null
    ? null
    : durationText(date.actualStartTime, date.actualEndTime);
}

function durationText(from: string, to: string): string {
  return longDuration(minutesBetween(Date.parse(from), Date.parse(to)));
}

/** '3:30 PM', followed by the duration if known: the actual one if there is one, else the planned one. */
export function cardTimeText(
  date: Pick<PlannedDate, 'plannedDateTime' | 'endDateTime' | 'actualStartTime' | 'actualEndTime'>,
  zone: string,
): string {
  const duration = actualDurationText(date) ?? plannedDurationText(date);
  const time = clockTime(Date.parse(date.plannedDateTime), zone);
  return duration === null ? time : `${time} (${duration})`;
}

/** Formats an instant as 'Saturday, November 21, 2026, 7:30 PM'. */
export function dayAndTime(instant: string, zone: string): string {
  const ms = Date.parse(instant);
  return `${longDate(ms, zone)}, ${clockTime(ms, zone)}`;
}
