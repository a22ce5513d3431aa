import { clockTime, type DateFormats, longDate } from '../base/date-formats.ts';
import { MINUTE } from '../base/durations.ts';

/** When a link for a new password works: 'Friday, November 27, 2026 at 3:30 PM'. @param ms milliseconds */
export function recoveryLinkTime(ms: number, zone: string, formats?: DateFormats): string {
  return `${longDate(ms, zone, formats)} at ${clockTime(ms, zone, formats)}`;
}

/** Whether a link works already. @param minute the start of the present minute, in milliseconds */
export function isRecoveryLinkUsable(usableAt: number, minute: number): boolean {
  return usableAt < minute + MINUTE;
}
