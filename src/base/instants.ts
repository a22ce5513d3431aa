/** Instants, which are milliseconds since 1970 in UTC, and the days on which they are. Functions take the zone. */

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

/** Converts an instant to a zoned date-time. */
export function zoned(ms: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
}

/** Returns an instant's calendar date in a zone: `2026-11-21`. */
export function dayOf(ms: number, zone: string): string {
  return zoned(ms, zone).toPlainDate().toString();
}
