import { clockTime } from '../base/date-formats.ts';
import { HOUR, MINUTE, minutesBetween } from '../base/durations.ts';
import type { PlannedDate } from '../dates/contract.ts';
import { startOf } from '../dates/start-of.ts';

/** A date in progress, as date mode shows it. */
export type RunningDate = Pick<PlannedDate, 'plannedDateTime' | 'endDateTime' | 'actualStartTime'>;

/**
 * Minutes since the start, as a clock without seconds shows them: from 6:15 to 7:57 it is 1 hour 42 minutes. A device
 * whose clock is behind the server's sees 0.
 */
export function minutesSinceStart(date: RunningDate, now: number): number {
  const start = Math.floor(startOf(date) / MINUTE) * MINUTE;
  return Math.max(0, minutesBetween(start, now));
}

/** The time since the start, in the parts of the large figure: [1, 'h'], [42, 'm']. Days count as hours. */
export function elapsedParts(minutes: number): readonly (readonly [number, 'h' | 'm'])[] {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours === 0
    ? [[rest, 'm']]
    : [
        [hours, 'h'],
        [rest, 'm'],
      ];
}

/** 'since 6:15 PM'. */
export function sinceText(date: RunningDate, zone: string): string {
  return `since ${clockTime(startOf(date), zone)}`;
}

/** 'planned until 8:25 PM', or null without a planned end or after it. */
export function plannedUntilText(date: RunningDate, now: number, zone: string): string | null {
  if (date.endDateTime === null || Date.parse(date.endDateTime) <= now) return null;
  return `planned until ${clockTime(Date.parse(date.endDateTime), zone)}`;
}

/** The choices for the end of a date: now, or earlier. Those before the start are left out. */
export function endChoices(
  date: RunningDate,
  now: number,
): readonly { readonly label: string; readonly end: number }[] {
  const choices = [
    { label: 'Now', end: now },
    { label: '30 minutes ago', end: now - 30 * MINUTE },
    { label: '1 hour ago', end: now - HOUR },
    { label: '2 hours ago', end: now - 2 * HOUR },
  ];
  return choices.filter(({ end }, index) => index === 0 || end > startOf(date));
}
