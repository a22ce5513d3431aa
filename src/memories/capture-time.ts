import { fromLocalInput } from '../base/calendar.ts';

/** A camera whose clock was never set writes zeros, which parse as a day around 1900. */
const EARLIEST = Date.UTC(1902, 0, 1);

/** The `Photo` tags of an EXIF block, as exif-reader returns them. */
export type PhotoTags = Readonly<Record<string, unknown>> | undefined;

/**
 * The capture time in milliseconds UTC (contract 3, `takenAt`), or null if it is missing or invalid.
 * @param zone the IANA zone for a photo without an offset
 */
export function capturedAt(tags: PhotoTags, zone: string): number | null {
  const taken =
    timeIn(tags, 'DateTimeOriginal', 'OffsetTimeOriginal') ?? timeIn(tags, 'DateTimeDigitized', 'OffsetTimeDigitized');
  if (taken === null || taken.local.getTime() < EARLIEST) return null;
  // The digits are local time, although the library returns them as UTC.
  const digits = taken.local.toISOString().slice(0, 19);
  return fromLocalInput(`${digits}.${millisecondsIn(tags)}`, taken.offset ?? zone);
}

function timeIn(tags: PhotoTags, timeTag: string, offsetTag: string): { local: Date; offset: string | null } | null {
  const local = tags?.[timeTag];
  if (!(local instanceof Date) || Number.isNaN(local.getTime())) return null;
  const offset = tags?.[offsetTag];
  const isOffset = typeof offset === 'string' && /^[+-](0\d|1[0-4]):[0-5]\d$/.test(offset.trim());
  return { local, offset: isOffset ? offset.trim() : null };
}

/** Fractions of a second keep a burst in order. They are decimal digits: '5' is half a second. */
function millisecondsIn(tags: PhotoTags): string {
  const parts = tags?.SubSecTimeOriginal;
  const digits = typeof parts === 'string' ? (/^\d+/.exec(parts)?.[0] ?? '') : '';
  return digits.slice(0, 3).padEnd(3, '0');
}
