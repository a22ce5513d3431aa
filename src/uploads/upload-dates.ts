import { mediumDate } from '../base/time.ts';

/** What the upload page needs of a planned date. */
export interface UploadDate {
  readonly id: string;
  readonly status: string;
  readonly plannedDateTime: string;
  readonly dateIdea: { readonly title: string };
}

/**
 * The dates to choose from: started ones, latest first, then upcoming ones, soonest first. Canceled dates accept no
 * memories (contract 1, 409).
 */
export function datesToChoose<D extends UploadDate>(dates: readonly D[], now: number): readonly D[] {
  const at = (date: D) => Date.parse(date.plannedDateTime);
  const begun = (date: D) => date.status !== 'Planned' || at(date) <= now;
  const open = dates.filter(({ status }) => status !== 'Cancelled');
  return [
    ...open.filter(begun).sort((a, b) => at(b) - at(a)),
    ...open.filter((date) => !begun(date)).sort((a, b) => at(a) - at(b)),
  ];
}

/** 'Two days in Arezzo - Oct 17, 2026 ✨': the sparkle marks what is completed (spec 2, Upload memory). */
export function dateOption({ status, plannedDateTime, dateIdea }: UploadDate, zone: string): string {
  const label = `${dateIdea.title} - ${mediumDate(Date.parse(plannedDateTime), zone)}`;
  return status === 'Completed' ? `${label} ✨` : label;
}
