import { mediumDate } from '../base/date-formats.ts';
import { isHidden, type WithSurprise } from '../dates/is-hidden.ts';

/** What the upload page needs of a planned date. */
export interface UploadDate extends WithSurprise {
  readonly id: string;
  readonly status: string;
  readonly plannedDateTime: string;
  readonly dateIdea: { readonly title: string };
}

/**
 * The dates to choose from: those whose time has come, latest first, then upcoming ones, soonest first. Canceled dates accept no
 * memories (409), and neither do surprises of the partner (uploads.choosing.6).
 */
export function datesToChoose<D extends UploadDate>(dates: readonly D[], now: number): readonly D[] {
  const at = (date: D) => Date.parse(date.plannedDateTime);
  const isDue = (date: D) => date.status !== 'Planned' || at(date) <= now;
  const open = dates.filter(canTakeMemories);
  return [
    ...open.filter(isDue).sort((a, b) => at(b) - at(a)),
    ...open.filter((date) => !isDue(date)).sort((a, b) => at(a) - at(b)),
  ];
}

/** Whether the user can add memories to a date. */
export function canTakeMemories(date: UploadDate): boolean {
  return date.status !== 'Cancelled' && !isHidden(date);
}

/** 'Two days in Arezzo - Oct 17, 2026 ✨': the sparkle marks what is completed. */
export function dateOption({ status, plannedDateTime, dateIdea }: UploadDate, zone: string): string {
  const label = `${dateIdea.title} - ${mediumDate(Date.parse(plannedDateTime), zone)}`;
  return status === 'Completed' ? `${label} ✨` : label;
}
