import readExif from 'exif-reader';
import { fromLocalInput } from '../../base/time.ts';

/** A camera whose clock was never set writes zeros, which read as a day of about 1900. */
const EARLIEST = Date.UTC(1902, 0, 1);

/**
 * When a photograph was taken, in milliseconds UTC: by its EXIF, with the offset that it gives, else in the couple's
 * zone (contract 3, `takenAt`); null where it does not say, or says nonsense.
 * @param exif the block as sharp finds it
 * @param zone an IANA name
 */
export function captureTime(exif: Buffer | undefined, zone: string): number | null {
  const photo = exif === undefined ? undefined : photoTags(exif);
  const taken =
    timeIn(photo, 'DateTimeOriginal', 'OffsetTimeOriginal') ??
    timeIn(photo, 'DateTimeDigitized', 'OffsetTimeDigitized');
  if (taken === null || taken.local.getTime() < EARLIEST) return null;
  // Its digits are local time, though the library marks them as UTC.
  const digits = taken.local.toISOString().slice(0, 19);
  return fromLocalInput(`${digits}.${millisecondsIn(photo)}`, taken.offset ?? zone);
}

type Tags = Readonly<Record<string, unknown>> | undefined;

function photoTags(exif: Buffer): Tags {
  try {
    return readExif(exif).Photo;
  } catch {
    // A photograph with a broken description is a photograph all the same.
    return undefined;
  }
}

function timeIn(tags: Tags, timeTag: string, offsetTag: string): { local: Date; offset: string | null } | null {
  const local = tags?.[timeTag];
  if (!(local instanceof Date) || Number.isNaN(local.getTime())) return null;
  const offset = tags?.[offsetTag];
  const isOffset = typeof offset === 'string' && /^[+-](0\d|1[0-4]):[0-5]\d$/.test(offset.trim());
  return { local, offset: isOffset ? offset.trim() : null };
}

/** Parts of a second tell the order of a burst. They are digits after a point: '5' is half a second. */
function millisecondsIn(tags: Tags): string {
  const parts = tags?.SubSecTimeOriginal;
  const digits = typeof parts === 'string' ? (/^\d+/.exec(parts)?.[0] ?? '') : '';
  return digits.slice(0, 3).padEnd(3, '0');
}
