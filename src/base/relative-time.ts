import { DAY, HOUR, MINUTE } from './durations.ts';
import { plural } from './number-texts.ts';

type RelativeStyle = 'standard' | 'short' | 'romantic';
const RELATIVE_UNITS = [
  ['second', 1000, MINUTE],
  ['minute', MINUTE, HOUR],
  ['hour', HOUR, DAY],
  ['day', DAY, 7 * DAY],
  ['week', 7 * DAY, 28 * DAY],
  ['month', 30 * DAY, 360 * DAY],
  ['year', 365 * DAY, Number.POSITIVE_INFINITY],
] as const;
const SHORT_UNITS = { second: 's', minute: 'm', hour: 'h', day: 'd', week: 'w', month: 'mo', year: 'y' } as const;

/**
 * Formats the time since or until an instant: seconds under a minute, then minutes, hours, days
 * under 7, weeks under 4, months of 30 days under 12, then years. Only seconds can be 0. Styles: 'standard' is '2 days
 * ago' or 'in 2 days', 'short' is '2d ago' or 'in 2d', and 'romantic' is 'just a heartbeat ago' under a minute and '2 days
 * ago, still close to our hearts' after that.
 */
export function relativeTime(then: number, now: number, style: RelativeStyle = 'standard'): string {
  const distance = Math.abs(now - then);
  const unit = RELATIVE_UNITS.find(([, , below]) => distance < below) ?? RELATIVE_UNITS[6];
  const count = Math.max(unit[0] === 'second' ? 0 : 1, Math.floor(distance / unit[1]));
  const future = then > now;
  if (style === 'romantic' && unit[0] === 'second') return future ? 'in a heartbeat' : 'just a heartbeat ago';
  const amount = style === 'short' ? `${count}${SHORT_UNITS[unit[0]]}` : plural(count, unit[0]);
  if (style === 'romantic') return future ? `only ${amount} to wait` : `${amount} ago, still close to our hearts`;
  return future ? `in ${amount}` : `${amount} ago`;
}

/**
 * Formats the time since an instant that has passed, as `relativeTime` does. If it is ahead of `now`, it counts as now:
 * `useNow` is the start of the minute, and the clock of the device may be behind the server's.
 */
export function timeSince(then: number, now: number, style?: RelativeStyle): string {
  return relativeTime(Math.min(then, now), now, style);
}
