/*
 * Calendar days. They are separate from `instants.ts` because the first page doesn't need them.
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
