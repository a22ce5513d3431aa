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
