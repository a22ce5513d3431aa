import { zoned } from './instants.ts';

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
