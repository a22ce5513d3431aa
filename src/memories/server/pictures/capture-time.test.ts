import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { captureTime } from './capture-time.ts';

/** Returns the EXIF of a photograph with these tags. */
async function exifOf(tags: Record<string, string>): Promise<Buffer | undefined> {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
  return (await sharp(await image.withExif({ IFD2: tags }).jpeg().toBuffer()).metadata()).exif;
}

const takenAt = async (tags: Record<string, string>, zone = 'America/New_York') => {
  const ms = captureTime(await exifOf(tags), zone);
  return ms === null ? null : new Date(ms).toISOString();
};

describe('the capture time', () => {
  it('is in the couple’s zone if the photo has no offset', async () => {
    expect(await takenAt({ DateTimeOriginal: '2026:07:04 21:30:15' })).toBe('2026-07-05T01:30:15.000Z');
    expect(await takenAt({ DateTimeOriginal: '2026:12:24 21:30:15' })).toBe('2026-12-25T02:30:15.000Z');
  });

  it('uses the photo’s offset', async () => {
    const tags = { DateTimeOriginal: '2026:07:04 21:30:15', OffsetTimeOriginal: '+09:00' };
    expect(await takenAt(tags)).toBe('2026-07-04T12:30:15.000Z');
    expect(await takenAt({ ...tags, OffsetTimeOriginal: '-03:30' })).toBe('2026-07-05T01:00:15.000Z');
  });

  it('ignores an invalid offset', async () => {
    const tags = { DateTimeOriginal: '2026:07:04 21:30:15', OffsetTimeOriginal: '+99:00' };
    expect(await takenAt(tags)).toBe('2026-07-05T01:30:15.000Z');
  });

  it('keeps fractions of a second', async () => {
    expect(await takenAt({ DateTimeOriginal: '2026:07:04 21:30:15', SubSecTimeOriginal: '5' }, 'UTC')).toBe(
      '2026-07-04T21:30:15.500Z',
    );
    expect(await takenAt({ DateTimeOriginal: '2026:07:04 21:30:15', SubSecTimeOriginal: '1239' }, 'UTC')).toBe(
      '2026-07-04T21:30:15.123Z',
    );
  });

  it('falls back to the time of digitization', async () => {
    expect(await takenAt({ DateTimeDigitized: '2026:07:04 21:30:15' }, 'UTC')).toBe('2026-07-04T21:30:15.000Z');
  });

  it.each(['0000:00:00 00:00:00', '    :  :     :  :  ', 'yesterday', '2026-07-04 21:30:15'])(
    'is unknown for %j',
    async (text) => {
      expect(await takenAt({ DateTimeOriginal: text })).toBeNull();
    },
  );

  it('is null without EXIF, or with broken EXIF', () => {
    expect(captureTime(undefined, 'UTC')).toBeNull();
    expect(captureTime(Buffer.from('Exif\0\0MM\0'), 'UTC')).toBeNull();
    expect(captureTime(Buffer.from('nonsense'), 'UTC')).toBeNull();
  });
});
