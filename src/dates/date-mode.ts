import { clockTime, HOUR, longDuration, MINUTE, minutesBetween } from '../base/time.ts';
import type { PlannedDate } from './contract.ts';

/** A date in progress, as date mode shows it. */
type Running = Pick<PlannedDate, 'plannedDateTime' | 'endDateTime' | 'actualStartTime'>;

/** Assumed duration of a date without a planned end, for the length of the thread. */
const DEFAULT_MINUTES = 120;
/** A stitch every ten minutes, a knot every hour. */
const STITCH_MINUTES = 10;
const KNOT_MINUTES = 60;

export function startOf(date: Running): number {
  return Date.parse(date.actualStartTime ?? date.plannedDateTime);
}

/**
 * Minutes since the start, as a clock without seconds shows them: from 6:15 to 7:57 it is 1 hour 42 minutes. A device
 * whose clock is behind the server's sees 0.
 */
export function minutesSinceStart(date: Running, now: number): number {
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

/** The length of the thread in minutes: what is planned, or what has passed if that is more. */
function seamMinutes(date: Running, now: number): number {
  const start = startOf(date);
  const planned = date.endDateTime === null ? DEFAULT_MINUTES : (Date.parse(date.endDateTime) - start) / MINUTE;
  return Math.max(planned, minutesSinceStart(date, now), STITCH_MINUTES);
}

/** The thread that is sewn while we are out. Shares are of its whole length, 0 to 1. */
export interface Seam {
  /** How much is sewn: the needle is at its end. */
  readonly sewn: number;
  /** Where each stitch begins. */
  readonly stitches: readonly number[];
  /** Where each full hour has its knot. */
  readonly knots: readonly number[];
  /** Whether pencil dots show what is still planned. */
  readonly hasRest: boolean;
}

/** At most this many stitches are drawn: a date of days has longer ones. */
const MOST_STITCHES = 36;

export function seamOf(date: Running, now: number): Seam {
  const passed = minutesSinceStart(date, now);
  const all = seamMinutes(date, now);
  const every = (minutes: number) => {
    const step = minutes * Math.max(1, Math.ceil(passed / minutes / MOST_STITCHES));
    return Array.from({ length: Math.ceil(passed / step) }, (_, index) => (index * step) / all);
  };
  return {
    sewn: passed / all,
    stitches: every(STITCH_MINUTES),
    knots: every(KNOT_MINUTES),
    hasRest: passed < all,
  };
}

/** What the seam shows, in words: '1 hour 42 minutes of about 2 hours 10 minutes'. */
export function seamText(date: Running, now: number): string {
  const passed = longDuration(minutesSinceStart(date, now));
  if (date.endDateTime === null) return passed;
  const planned = minutesBetween(startOf(date), Date.parse(date.endDateTime));
  return planned > minutesSinceStart(date, now) ? `${passed} of about ${longDuration(planned)}` : passed;
}

/** 'since 6:15 PM'; a date of another day has its day. */
export function sinceText(date: Running, zone: string): string {
  return `since ${clockTime(startOf(date), zone)}`;
}

/** 'planned until 8:25 PM', or null without a planned end or after it. */
export function plannedUntilText(date: Running, now: number, zone: string): string | null {
  if (date.endDateTime === null || Date.parse(date.endDateTime) <= now) return null;
  return `planned until ${clockTime(Date.parse(date.endDateTime), zone)}`;
}

/** The choices for the end of a date: now, or earlier. Those before the start are left out. */
export function endChoices(date: Running, now: number): readonly { readonly label: string; readonly end: number }[] {
  const choices = [
    { label: 'Now', end: now },
    { label: '30 minutes ago', end: now - 30 * MINUTE },
    { label: '1 hour ago', end: now - HOUR },
    { label: '2 hours ago', end: now - 2 * HOUR },
  ];
  return choices.filter(({ end }, index) => index === 0 || end > startOf(date));
}

/**
 * The address that opens a place in the device's maps: the maps app of a phone or a Mac, elsewhere Google Maps.
 * @param userAgent of the browser; null if it is not known yet
 */
export function mapsUrl(place: string, userAgent: string | null): string {
  const query = encodeURIComponent(place);
  if (userAgent !== null && /Android/i.test(userAgent)) return `geo:0,0?q=${query}`;
  if (userAgent !== null && /iPhone|iPad|Macintosh/i.test(userAgent)) return `https://maps.apple.com/?q=${query}`;
  return `https://www.google.com/maps/search/?api=1&query=${query}`;
}
