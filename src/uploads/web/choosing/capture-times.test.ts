import sharp from 'sharp';
import { expect, it } from 'vitest';
import { makeJpeg, makeWebp } from '../../../../tests/support/images.ts';
import { captureTimeOf } from './capture-times.ts';

const ROME = 'Europe/Rome';
const timeOf = async (bytes: Buffer, zone = ROME) => {
  const ms = await captureTimeOf(new Blob([new Uint8Array(bytes)]), zone);
  return ms === null ? null : new Date(ms).toISOString();
};
const evening = { takenAt: '2026:07:04 21:30:15', gps: { latitude: 43.46, longitude: 11.88 }, orientation: 6 };

it('reads the capture time as the server does', async () => {
  expect(await timeOf(await makeJpeg(evening))).toBe('2026-07-04T19:30:15.000Z');
  expect(await timeOf(await makeJpeg({ ...evening, offset: '+09:00' }))).toBe('2026-07-04T12:30:15.000Z');
  expect(await timeOf(await makeWebp({ ...evening, width: 1600, height: 1200 }))).toBe('2026-07-04T19:30:15.000Z');
  const png = sharp(await makeJpeg()).withExif({ IFD2: { DateTimeOriginal: evening.takenAt } });
  expect(await timeOf(await png.png().toBuffer())).toBe('2026-07-04T19:30:15.000Z');
});

it('returns null if the photo has no capture time or is broken', async () => {
  expect(await timeOf(await makeJpeg())).toBeNull();
  expect(await timeOf((await makeJpeg(evening)).subarray(0, 60))).toBeNull();
  expect(await timeOf(Buffer.from('not at all a photograph'))).toBeNull();
});
