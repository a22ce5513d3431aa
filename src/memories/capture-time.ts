import { fromLocalInput } from '../base/calendar.ts';

/** A camera whose clock was never set writes zeros, which read as a day of about 1900. */
const EARLIEST = Date.UTC(1902, 0, 1);

/** The tags of a photograph's EXIF that speak of taking it (`Photo`), as exif-reader gives them. */
export type PhotoTags = Readonly<Record<string, unknown>> | undefined;

/**
 * When a photograph was taken, in milliseconds UTC: with the offset that it gives, else in a zone (contract 3,
 * `takenAt`); null where it does not say, or says nonsense.
 * @param zone an IANA name
 */
export function capturedAt(tags: PhotoTags, zone: string): number | null {
  const taken =
    timeIn(tags, 'DateTimeOriginal', 'OffsetTimeOriginal') ?? timeIn(tags, 'DateTimeDigitized', 'OffsetTimeDigitized');
  if (taken === null || taken.local.getTime() < EARLIEST) return null;
  // Its digits are local time, though the library marks them as UTC.
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

/** Parts of a second tell the order of a burst. They are digits after a point: '5' is half a second. */
function millisecondsIn(tags: PhotoTags): string {
  const parts = tags?.SubSecTimeOriginal;
  const digits = typeof parts === 'string' ? (/^\d+/.exec(parts)?.[0] ?? '') : '';
  return digits.slice(0, 3).padEnd(3, '0');
}
