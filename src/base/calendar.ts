import { zoned } from './time.ts';

/*
 * Calendar days and wall-clock times. They are separate from `time.ts` because the first page doesn't need them.
 */

/** Returns the text if it is a real calendar date such as `2019-06-01`, else null. */
export function parseCalendarDate(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString();
  } catch {
    return null;
  }
}

/** Returns the number of calendar days between two dates such as `2026-11-21`. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days;
}

/** Adds days to a calendar date. */
export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Returns the first instant of a day in a zone: midnight, or the first moment after it if a clock change skips it. */
export function startOfDay(day: string, zone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;
}

/** Formats an instant in a zone for an `input type=datetime-local`: `2026-11-21T19:00`. */
export function toLocalInput(ms: number, zone: string): string {
  return zoned(ms, zone).toPlainDateTime().toString({ smallestUnit: 'minute' });
}

/**
 * Parses a `datetime-local` value in a zone; null if it is invalid. A time that a clock change skips moves forward by the
 * length of the gap; for a time that occurs twice, the first one counts.
 */
export function fromLocalInput(text: string, zone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:[0-5]\d(\.\d{1,3})?)?$/.test(text)) return null;
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return null;
  }
}
