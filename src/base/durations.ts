import { plural } from './number-texts.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Returns the whole minutes between two instants, never negative. */
export function minutesBetween(from: number, to: number): number {
  return Math.max(0, Math.floor((to - from) / MINUTE));
}

/** Formats a duration in minutes: '45m', '2h', '3h 20m', '26h 5m'. */
export function compactDuration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest}m`;
  return rest === 0 ? `${hours}h` : `${hours}h ${rest}m`;
}

/** Formats a duration in minutes for screens: '2 hours 30 minutes', '1 day 2 hours', '45 minutes' (screens.words.6). */
export function longDuration(minutes: number): string {
  const parts = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor((minutes % 1440) / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => plural(count, unit));
  return said.length === 0 ? '0 minutes' : said.join(' ');
}
