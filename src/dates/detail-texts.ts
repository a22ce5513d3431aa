import { plural } from '../base/text.ts';
import { clockTime, dayOf, longDate, mediumDate } from '../base/time.ts';
import type { PlannedDate } from './contract.ts';

/** 'planned 2 times' of a date's idea (spec 2, Date details). */
export function plannedTimesText(count: number): string {
  return `planned ${plural(count, 'time')}`;
}

/** 'Last planned Oct 17, 2026' of a date's idea, or null where it was never planned. */
export function lastPlannedDateText(lastPlannedDate: string | null, zone: string): string | null {
  return lastPlannedDate === null ? null : `Last planned ${mediumDate(Date.parse(lastPlannedDate), zone)}`;
}

/**
 * A time beside a date that is told already: '4:00 PM' on the same day, 'Sunday, October 18, 2026, 4:00 PM' on another.
 */
export function timeWithDateIfDifferent(instant: string, planned: string, zone: string): string {
  const ms = Date.parse(instant);
  const time = clockTime(ms, zone);
  return dayOf(ms, zone) === dayOf(Date.parse(planned), zone) ? time : `${longDate(ms, zone)}, ${time}`;
}

/** '3 memories'; null where a date has none and none are looked for yet: before it has begun. */
export function memoryCountText({ status, memoryCount }: Pick<PlannedDate, 'status' | 'memoryCount'>): string | null {
  const begun = status === 'InProgress' || status === 'Completed';
  return memoryCount > 0 || begun ? plural(memoryCount, 'memory', 'memories') : null;
}

/** A delete question's second line: what goes along, and that it can be put back (contract 3 and 5). */
export function deleteDetail({ memoryCount, dateIdea }: Pick<PlannedDate, 'memoryCount' | 'dateIdea'>): string {
  const name = `‘${dateIdea.title}’`;
  const back = 'For 30 days it can still be put back from Recently deleted.';
  if (memoryCount === 0) return `${name} has no memories to take along. ${back}`;
  return `${name} takes its ${plural(memoryCount, 'memory', 'memories')} along. ${back}`;
}
