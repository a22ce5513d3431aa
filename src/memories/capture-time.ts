import { DAY, MINUTE } from '../base/durations.ts';
import type { ExifTexts } from './exif-texts.ts';

/** When the first photograph was taken. */
const EARLIEST = Date.UTC(1826, 0, 1);

/** Whether a photograph can have been taken then: from 1826 to a day after now, since a device's clock may be ahead. */
export function isCaptureTime(ms: number, now: number): boolean {
  return ms >= EARLIEST && ms <= now + DAY;
}

/**
 * The capture time in milliseconds UTC, or null if the texts name none: the time of the original, or else of its
 * digitization. The time of the file's last change is none.
 * @param zone the IANA zone for a photograph without an offset
 */
export function capturedAt(texts: ExifTexts, { zone, now }: { zone: string; now: number }): number | null {
  const { OffsetTimeOriginal: original, OffsetTimeDigitized: digitized, OffsetTime: ofChange } = texts;
  const candidates = [
    instantOf(texts.DateTimeOriginal, texts.SubSecTimeOriginal, [original, digitized, ofChange], zone),
    instantOf(texts.DateTimeDigitized, texts.SubSecTimeDigitized, [digitized, original, ofChange], zone),
  ];
  return candidates.find((ms) => ms !== null && isCaptureTime(ms, now)) ?? null;
}

/**
 * EXIF prescribes '2024:06:15 12:00:00'. Cameras and editors also write other separators, blanks for leading zeros, no
 * seconds, fractions of a second, and an offset.
 */
const DATE_TIME =
  /^(\d{4})[:./-]([ \d]?\d)[:./-]([ \d]?\d)[ T]([ \d]?\d)[:-]([ \d]?\d)(?:[:-]([ \d]?\d)(?:[.,](\d+))?)? ?(Z|[+-]\d{1,2}:?\d{2})?$/i;

/** The instant of a time in the first offset that is one, or else in the zone; null if there is no such day or time. */
function instantOf(
  raw: string | undefined,
  rawFraction: string | undefined,
  offsets: readonly (string | undefined)[],
  zone: string,
): number | null {
  const match = DATE_TIME.exec(textOf(raw));
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const fraction = match[7] ?? /^\d*/.exec(textOf(rawFraction))?.[0] ?? '';
  const offset = [match[8], ...offsets].map(offsetOf).find((minutes) => minutes !== null);
  try {
    const local = Temporal.PlainDateTime.from(
      // Fractions keep a burst in order. They are decimal digits: '5' is half a second.
      { year, month, day, hour, minute, second, millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')) },
      { overflow: 'reject' },
    );
    if (offset === undefined) return local.toZonedDateTime(zone).epochMilliseconds;
    return local.toZonedDateTime('UTC').epochMilliseconds - offset * MINUTE;
  } catch {
    return null;
  }
}

/** The furthest zone from UTC, in minutes. */
const MAX_OFFSET = 14 * 60;

/** An offset in minutes; null if it is missing, unknown ('   :  ') or impossible. */
function offsetOf(raw: string | undefined): number | null {
  const match = /^(?:Z|([+-])(\d{1,2}):?([0-5]\d))$/i.exec(textOf(raw));
  if (match === null) return null;
  const [, sign, hours = '0', minutes = '0'] = match;
  const offset = Number(hours) * 60 + Number(minutes);
  return offset > MAX_OFFSET ? null : sign === '-' ? -offset : offset;
}

/** What follows the first NUL is no text. */
function textOf(raw = ''): string {
  return raw.replace(/\0[^]*$/, '').trim();
}
