import { clockTime, longDate, mediumDate } from '../base/date-formats.ts';
import { DAY } from '../base/durations.ts';
import type { PlannedDate } from './contract.ts';
import { startOf } from './start-of.ts';

/** A date that 'We went!' completed. */
type Completed = Pick<PlannedDate, 'plannedDateTime' | 'endDateTime' | 'actualStartTime' | 'actualEndTime'>;

/** A weekday names a day up to this far back. */
const WEEKDAY_MS = 6 * DAY;

/**
 * What 'We went!' saved: 'Thursday, 8:00 PM to 8:45 PM, as planned'. A date of more than six days ago has its day:
 * 'Nov 5, 2026, 8:00 PM to 10:00 PM'.
 */
export function wentText(date: Completed, now: number, zone: string): string {
  const start = startOf(date);
  const day = now - start > WEEKDAY_MS ? mediumDate(start, zone) : longDate(start, zone).split(',')[0];
  if (date.actualEndTime === null) return `${day}, ${clockTime(start, zone)}`;
  const isAsPlanned = date.actualEndTime === date.endDateTime && date.actualStartTime === date.plannedDateTime;
  const times = `${clockTime(start, zone)} to ${clockTime(Date.parse(date.actualEndTime), zone)}`;
  return `${day}, ${times}${isAsPlanned ? ', as planned' : ''}`;
}
