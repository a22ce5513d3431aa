import type { PlannedDate } from './contract.ts';

/** When a date begins or began, in milliseconds: its actual start, or else the planned one. */
export function startOf({
  actualStartTime,
  plannedDateTime,
}: Pick<PlannedDate, 'actualStartTime' | 'plannedDateTime'>): number {
  return Date.parse(actualStartTime ?? plannedDateTime);
}
