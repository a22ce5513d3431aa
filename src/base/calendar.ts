import { zoned } from './time.ts';

/*
 * Calendar days and wall-clock times: apart from `time.ts`, because the first page needs none of it.
 */

/** A real calendar date `2019-06-01`, as it came, or null. */
export function parseCalendarDate(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString();
  } catch {
    return null;
  }
}

/** Whole calendar days from one day to another, both `2026-11-21`. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days;
}

/** A calendar day some days later. */
export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** The first instant of a calendar day in a zone: midnight, or what follows a midnight that a clock change skips. */
export function startOfDay(day: string, zone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;
}

/**
 * The value of an `input type=datetime-local`, `2026-11-21T19:00`, for an instant in a zone.
 */
export function toLocalInput(ms: number, zone: string): string {
  return zoned(ms, zone).toPlainDateTime().toString({ smallestUnit: 'minute' });
}

/**
 * The instant of a `datetime-local` value in a zone, or null where it is none. A time that a clock change skips is
 * the one as long after the change; of a time that comes twice the first is meant.
 */
export function fromLocalInput(text: string, zone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:[0-5]\d(\.\d{1,3})?)?$/.test(text)) return null;
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return null;
  }
}
