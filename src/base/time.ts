import { plural } from './text.ts';

/**
 * Instants, days and durations. Functions take `now` and the zone as arguments. Instants are milliseconds since 1970 in
 * UTC; durations are whole minutes, rounded down.
 */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

// Temporal reads a leap second (23:59:60) as the second before it. Here it is invalid.
const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Parses an ISO 8601 date-time with an offset into milliseconds. Null for an impossible date such as February 30 and for
 * a local time without an offset (wire.values.6).
 */
export function parseInstant(text: string): number | null {
  if (!ISO_INSTANT.test(text)) return null;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return null;
  }
}

/** Formats an instant as ISO 8601 in UTC with milliseconds. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * Returns an IANA name in the platform's spelling ('Europe/Rome' for 'europe/rome'), or null if it is unknown. It alone
 * decides which zones the app takes: what it returns works in Intl, which formats times, and in Temporal, which counts.
 */
export function parseTimeZone(text: string): string | null {
  // Intl accepts an offset such as '+01:00' too, but it isn't an IANA name.
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    const zone = new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone;
    // Intl also accepts names that only its own library knows, such as 'SystemV/EST5'. A service worker may lack Temporal.
    if ('Temporal' in globalThis) zoned(0, zone);
    return zone;
  } catch {
    return null;
  }
}

const usableZones = new Map<string, string>();

/** The time zone that a couple has stored, or UTC if it is one that this platform can't use: older versions took such. */
export function usableZone(stored: string): string {
  const known = usableZones.get(stored) ?? parseTimeZone(stored) ?? 'UTC';
  usableZones.set(stored, known);
  return known;
}

const platformZones = new Map<string | undefined, string | null>();

/** The time zone of this device or server, or null if the platform names none, or only an offset. */
export function platformZone(): string | null {
  // In Chromium a format takes a hundred times as long, and a list asks for each of its rows. A service worker may lack Temporal.
  const name: string | undefined =
    'Temporal' in globalThis ? Temporal.Now.timeZoneId() : new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = platformZones.get(name);
  if (known !== undefined) return known;
  const zone = parseTimeZone(name ?? '');
  platformZones.set(name, zone);
  return zone;
}

/** Converts an instant to a zoned date-time. */
export function zoned(ms: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
}

/** Returns an instant's calendar date in a zone: `2026-11-21`. */
export function dayOf(ms: number, zone: string): string {
  return zoned(ms, zone).toPlainDate().toString();
}

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

/** How a user reads dates and times: `us` is 'March 5, 2024' and '3:30 PM', `international` '5 March 2024' and '15:30'. */
export const DATE_FORMATS = ['us', 'international'] as const;
export type DateFormats = (typeof DATE_FORMATS)[number];

let chosen: DateFormats = 'us';

/**
 * Sets how this page's user reads dates and times. The server has many users and never calls it: it passes the formats of
 * each reader to the functions below, which format all dates and times (screens.words.5).
 */
export function chooseFormats(formats: DateFormats): void {
  chosen = formats;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formats an instant with a cached formatter: creating one is expensive. */
function format(ms: number, zone: string, key: string, options: Intl.DateTimeFormatOptions): string {
  const name = `${key} ${zone}`;
  const found = formatters.get(name) ?? new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone });
  formatters.set(name, found);
  // ICU puts a narrow no-break space before AM and PM. We show a plain space.
  return found.format(ms).replace(/\u202f/g, ' ');
}

/** 'Monday, March 5, 2024', or 'Monday, 5 March 2024' */
export function longDate(ms: number, zone: string, formats: DateFormats = chosen): string {
  if (formats === 'international') {
    const weekday = format(ms, zone, 'whole weekday', { weekday: 'long' });
    return `${weekday}, ${dayNumber(ms, zone)} ${format(ms, zone, 'whole month', { month: 'long' })} ${yearOf(ms, zone)}`;
  }
  return format(ms, zone, 'long', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
}

/** 'Mar 5, 2024', or '5 Mar 2024' */
export function mediumDate(ms: number, zone: string, formats: DateFormats = chosen): string {
  if (formats === 'international') return `${monthAndDay(ms, zone, formats)} ${yearOf(ms, zone)}`;
  return format(ms, zone, 'medium', { year: 'numeric', month: 'short', day: 'numeric' });
}

/** The name of the month '2024-03': 'March 2024'. */
export function monthName(month: string): string {
  return format(startOfMonth(month), 'UTC', 'month', { year: 'numeric', month: 'long' });
}

/** The short name of the month '2024-03': 'Mar'. */
export function shortMonth(month: string): string {
  return format(startOfMonth(month), 'UTC', 'mon', { month: 'short' });
}

function startOfMonth(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}

/** 'Mar 5', or '5 Mar', for places that show the year separately. */
export function monthAndDay(ms: number, zone: string, formats: DateFormats = chosen): string {
  if (formats === 'international') return `${dayNumber(ms, zone)} ${format(ms, zone, 'mon', { month: 'short' })}`;
  return format(ms, zone, 'month and day', { month: 'short', day: 'numeric' });
}

function dayNumber(ms: number, zone: string): string {
  return format(ms, zone, 'day', { day: 'numeric' });
}

function yearOf(ms: number, zone: string): string {
  return format(ms, zone, 'year', { year: 'numeric' });
}

/** '3:30 PM', or '15:30' */
export function clockTime(ms: number, zone: string, formats: DateFormats = chosen): string {
  if (formats === 'international') {
    return format(ms, zone, '24 hours', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  }
  return format(ms, zone, 'clock', { hour: 'numeric', minute: '2-digit', hour12: true });
}

/** The parts of a ticket's stub and of its stamp: 'Sat', '21', 'Nov', '2026', and 'Nov 21' or '21 Nov'. */
export interface StubDay {
  readonly weekday: string;
  readonly day: string;
  readonly month: string;
  readonly year: string;
  readonly monthAndDay: string;
}

/** Returns the parts of a ticket's stub. */
export function stubDay(ms: number, zone: string, formats: DateFormats = chosen): StubDay {
  return {
    monthAndDay: monthAndDay(ms, zone, formats),
    weekday: format(ms, zone, 'weekday', { weekday: 'short' }),
    day: dayNumber(ms, zone),
    month: format(ms, zone, 'mon', { month: 'short' }),
    year: yearOf(ms, zone),
  };
}

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
