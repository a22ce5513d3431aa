import { clockTime, longDate, mediumDate } from '../base/date-formats.ts';
import { dayOf } from '../base/instants.ts';
import { plural } from '../base/number-texts.ts';
import type { PlannedDate } from './contract.ts';

/** How often a date's idea was planned: 'planned 2 times' (dates.details.2). */
export function plannedTimesText(count: number): string {
  return `planned ${plural(count, 'time')}`;
}

/** When a date's idea was last planned: 'Last planned Oct 17, 2026', or null if it never was. */
export function lastPlannedDateText(lastPlannedDate: string | null, zone: string): string | null {
  return lastPlannedDate === null ? null : `Last planned ${mediumDate(Date.parse(lastPlannedDate), zone)}`;
}

/**
 * Formats a time shown next to its date: '4:00 PM' on that day, 'Sunday, October 18, 2026, 4:00 PM' on another day.
 */
export function timeWithDateIfDifferent(instant: string, planned: string, zone: string): string {
  const ms = Date.parse(instant);
  const time = clockTime(ms, zone);
  return dayOf(ms, zone) === dayOf(Date.parse(planned), zone) ? time : `${longDate(ms, zone)}, ${time}`;
}

/** '3 memories', or null for a date without memories that has not begun. */
export function memoryCountText({ status, memoryCount }: Pick<PlannedDate, 'status' | 'memoryCount'>): string | null {
  const begun = status === 'InProgress' || status === 'Completed';
  return memoryCount > 0 || begun ? plural(memoryCount, 'memory', 'memories') : null;
}

/** The second line of the delete question: what else will be deleted, and that it can be restored. */
export function deleteDetail({ memoryCount, dateIdea }: Pick<PlannedDate, 'memoryCount' | 'dateIdea'>): string {
  const name = `‘${dateIdea.title}’`;
  if (memoryCount === 0) return `You can put ${name} back from Recently deleted for 30 days.`;
  const memories = plural(memoryCount, 'memory', 'memories');
  return `Its ${memories} will be deleted too. You can put ${name} back from Recently deleted for 30 days.`;
}
