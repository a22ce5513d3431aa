import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import { capturedAt, isCaptureTime } from './capture-time.ts';
import type { ExifTexts } from './exif-texts.ts';

const NOW = Date.UTC(2026, 10, 26, 12);
const ZONE = 'America/New_York';

const takenAt = (texts: ExifTexts, now = NOW) => {
  const ms = capturedAt(texts, { zone: ZONE, now });
  return ms === null ? null : new Date(ms).toISOString();
};
/** A photograph of noon on June 15, 2024, as its camera shows the time. */
const noon = { DateTimeOriginal: '2024:06:15 12:00:00\0' };
const IN_ZONE = '2024-06-15T16:00:00.000Z';

describe('the capture time', () => {
  it.each([
    ['with a NUL behind', '2024:06:15 12:00:00\0', IN_ZONE],
    ['with nothing behind', '2024:06:15 12:00:00', IN_ZONE],
    ['with six NULs behind', '2024:06:15 12:00:00\0\0\0\0\0\0', IN_ZONE],
    ['with a blank and a NUL behind', '2024:06:15 12:00:00 \0', IN_ZONE],
    ['with other bytes behind the NUL', '2024:06:15 12:00:00\0\u00ffOK\n', IN_ZONE],
    ['with dashes', '2024-06-15 12:00:00', IN_ZONE],
    ['with slashes', '2024/06/15 12:00:00', IN_ZONE],
    ['with dots', '2024.06.15 12:00:00', IN_ZONE],
    ['with dashes in the time too', '2024-06-15 12-00-00', IN_ZONE],
    ['with a T', '2024-06-15T12:00:00', IN_ZONE],
    ['with a blank for the zero of the hour', '2024:06:15  9:00:00', '2024-06-15T13:00:00.000Z'],
    ['without the zero of the hour', '2024:06:15 9:00:00', '2024-06-15T13:00:00.000Z'],
    ['with blanks for the zeros of month and day', '2024: 6: 5 12:00:00', '2024-06-05T16:00:00.000Z'],
    ['without seconds', '2024:06:15 12:00', IN_ZONE],
    ['with a fraction of a second', '2024:06:15 12:00:00.25', '2024-06-15T16:00:00.250Z'],
    ['with an offset, as ISO 8601', '2024-06-15T12:00:00+02:00', '2024-06-15T10:00:00.000Z'],
    ['in UTC, as ISO 8601', '2024-06-15T12:00:00.5Z', '2024-06-15T12:00:00.500Z'],
    ['in an hour that a clock change skips', '2024:03:10 02:30:00', '2024-03-10T07:30:00.000Z'],
    ['in an hour that occurs twice', '2024:11:03 01:30:00', '2024-11-03T05:30:00.000Z'],
    ['in winter', '2025:12:24 21:30:15', '2025-12-25T02:30:15.000Z'],
    ['of 1839', '1839:08:19 12:00:00', '1839-08-19T16:56:02.000Z'],
  ])('is read %s', { tags: ['memories.pictures.11', 'memories.pictures.12'] }, (_, text, expected) => {
    expect(takenAt({ DateTimeOriginal: text })).toBe(expected);
  });

  it.each([
    '0000:00:00 00:00:00',
    '2024:00:00 00:00:00',
    '2024:06:00 12:00:00',
    '2024:13:01 12:00:00',
    '2024:06:31 12:00:00',
    '2024:02:30 02:30:00',
    '2023:02:29 12:00:00',
    '2024:06:15 24:00:00',
    '2024:06:15 12:60:00',
    '2024:06:15 12:00:60',
    '2024:06:1x 12:00:00',
    '2024:06:15',
    '    :  :     :  :  ',
    'yesterday',
    '',
    '\0\0\0\0',
    '1825:12:31 12:00:00',
    '9999:12:31 23:59:59',
    '2099:01:01 00:00:00',
  ])(
    'is unknown for %j, and the time of digitization has its turn',
    { tags: ['memories.pictures.11', 'memories.pictures.12'] },
    (text) => {
      expect(takenAt({ DateTimeOriginal: text })).toBeNull();
      expect(takenAt({ DateTimeOriginal: text, DateTimeDigitized: noon.DateTimeOriginal })).toBe(IN_ZONE);
    },
  );

  it.each([
    ['+02:00', '10:00'],
    ['+02:00\0', '10:00'],
    ['+02:00\0\0\0', '10:00'],
    ['+0200', '10:00'],
    [' +02:00 ', '10:00'],
    ['+2:00', '10:00'],
    ['-03:30', '15:30'],
    ['-0330\0', '15:30'],
    ['+05:45', '06:15'],
    ['+14:00', '22:00'],
    ['Z', '12:00'],
    ['Z\0', '12:00'],
    ['-00:00', '12:00'],
    // No offset: the zone's counts.
    ['   :  ', '16:00'],
    ['+  :  ', '16:00'],
    ['\0\0\0', '16:00'],
    ['+99:00', '16:00'],
    ['+14:30', '16:00'],
    ['+02:60', '16:00'],
    ['local', '16:00'],
  ])('has the offset %j', { tags: ['memories.pictures.11', 'memories.pictures.12'] }, (OffsetTimeOriginal, time) => {
    const day = time === '22:00' ? '2024-06-14' : '2024-06-15';
    expect(takenAt({ ...noon, OffsetTimeOriginal })).toBe(`${day}T${time}:00.000Z`);
  });

  it('has the offset of another tag if its own has none', {
    tags: ['memories.pictures.11', 'memories.pictures.12'],
  }, () => {
    const tokyo = '2024-06-15T03:00:00.000Z';
    expect(takenAt({ ...noon, OffsetTimeDigitized: '+09:00' })).toBe(tokyo);
    expect(takenAt({ ...noon, OffsetTime: '+09:00' })).toBe(tokyo);
    expect(takenAt({ ...noon, OffsetTimeOriginal: '   :  ', OffsetTime: '+09:00' })).toBe(tokyo);
    expect(takenAt({ ...noon, OffsetTimeOriginal: '+09:00', OffsetTimeDigitized: '+01:00', OffsetTime: 'Z' })).toBe(
      tokyo,
    );
    const digitized = { DateTimeDigitized: noon.DateTimeOriginal, OffsetTimeOriginal: 'Z' };
    expect(takenAt({ ...digitized, OffsetTimeDigitized: '+09:00' })).toBe(tokyo);
    expect(takenAt(digitized)).toBe('2024-06-15T12:00:00.000Z');
  });

  it.each([
    ['5', '.500'],
    ['05', '.050'],
    ['123456', '.123'],
    ['7\0', '.700'],
    ['   ', '.000'],
    ['x', '.000'],
  ])('has the fraction of a second %j', (SubSecTimeOriginal, fraction) => {
    expect(takenAt({ ...noon, SubSecTimeOriginal })).toBe(`2024-06-15T16:00:00${fraction}Z`);
  });

  it('is at most a day ahead, because the clock of a device may be', {
    tags: ['memories.pictures.11', 'memories.pictures.12'],
  }, () => {
    const tomorrow = { DateTimeOriginal: '2026:11:27 12:00:00', OffsetTimeOriginal: 'Z' };
    expect(takenAt(tomorrow)).toBe('2026-11-27T12:00:00.000Z');
    expect(takenAt(tomorrow, NOW - 1)).toBeNull();
    expect(isCaptureTime(Date.UTC(1826, 0, 1), NOW)).toBe(true);
    expect(isCaptureTime(Date.UTC(1826, 0, 1) - 1, NOW)).toBe(false);
    expect(isCaptureTime(NOW + DAY, NOW)).toBe(true);
  });

  it('is a time within the bounds, or null, whatever the texts are', {
    tags: ['memories.pictures.11', 'memories.pictures.12'],
  }, () => {
    const character = fc.constantFrom(...'0123456789:/-.+ TZ\0x'.split(''));
    const text = fc.oneof(
      fc.string({ unit: character, maxLength: 26 }),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constantFrom('2024:06:15 12:00:00', '+02:00', '5'),
    );
    const texts = fc.record(
      {
        DateTimeOriginal: text,
        DateTimeDigitized: text,
        OffsetTime: text,
        OffsetTimeOriginal: text,
        OffsetTimeDigitized: text,
        SubSecTimeOriginal: text,
        SubSecTimeDigitized: text,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(texts, (some) => {
        const ms = capturedAt(some, { zone: ZONE, now: NOW });
        expect(ms === null || isCaptureTime(ms, NOW)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
