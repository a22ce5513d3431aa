import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { exifBomb, exifWith, jpegWithExif, pngChunk, pngWith } from '../../../../tests/support/image-metadata.ts';
import { makeJpeg, makePng, makeWebp } from '../../../../tests/support/images.ts';
import { readCaptureTime } from './read-capture-time.ts';

const ROME = 'Europe/Rome';
const timeOf = async (bytes: Buffer, zone = ROME) => {
  const ms = await readCaptureTime(new Blob([new Uint8Array(bytes)]), zone);
  return ms === null ? null : new Date(ms).toISOString();
};
const evening = { takenAt: '2026:07:04 21:30:15', gps: { latitude: 43.46, longitude: 11.88 }, orientation: 6 };

it('reads the capture time as the server does', { tags: ['uploads.choosing.12'] }, async () => {
  expect(await timeOf(await makeJpeg(evening))).toBe('2026-07-04T19:30:15.000Z');
  expect(await timeOf(await makeJpeg({ ...evening, offset: '+09:00' }))).toBe('2026-07-04T12:30:15.000Z');
  expect(await timeOf(await makeWebp({ ...evening, width: 1600, height: 1200 }))).toBe('2026-07-04T19:30:15.000Z');
  const png = sharp(await makeJpeg()).withExif({ IFD2: { DateTimeOriginal: evening.takenAt } });
  expect(await timeOf(await png.png().toBuffer())).toBe('2026-07-04T19:30:15.000Z');
});

it('finds it in the text of a PNG, packed as ImageMagick does, and unpacks no bomb', {
  tags: ['uploads.choosing.12'],
}, async () => {
  const block = exifWith({ DateTimeOriginal: '2026:07:04 21:30:15' });
  const text = (bytes: Buffer) =>
    pngChunk('zTXt', Buffer.concat([Buffer.from('Raw profile type exif\0\0'), deflateSync(bytes)]));
  const profile = text(Buffer.from(`\nexif\n    ${block.length}\n${block.toString('hex')}\n`));
  expect(await timeOf(pngWith(await makePng(), [profile]))).toBe('2026-07-04T19:30:15.000Z');
  expect(await timeOf(pngWith(await makePng(), [text(Buffer.alloc(32 * 1024 * 1024, '0'))]))).toBeNull();
});

it('takes no longer for a block of thousands of long lists', { tags: ['uploads.choosing.12'] }, async () => {
  expect(await timeOf(jpegWithExif(await makeJpeg(), exifBomb()))).toBeNull();
});

it('returns null if the photo has no capture time or is broken', async () => {
  expect(await timeOf(await makeJpeg())).toBeNull();
  expect(await timeOf((await makeJpeg(evening)).subarray(0, 60))).toBeNull();
  expect(await timeOf(Buffer.from('not at all a photograph'))).toBeNull();
});
