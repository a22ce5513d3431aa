import exif from 'exif-reader';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { paintPhoto } from './paint.ts';

it('paints each scene in another way for each seed, with its time in EXIF', async () => {
  const paint = (seed: number) => paintPhoto('lamps', seed, '2026:10:14 19:41:09', '+02:00');
  const [one, again, other] = [await paint(1), await paint(1), await paint(2)];
  expect(one.equals(again)).toBe(true);
  expect(one.equals(other)).toBe(false);
  const { width, height, exif: data } = await sharp(one).metadata();
  expect(Math.max(width, height)).toBe(1120);
  expect(exif(data as Buffer).Photo?.DateTimeOriginal?.toISOString()).toBe('2026-10-14T19:41:09.000Z');
  // It has the contrast and the detail of a photograph, not a plain surface.
  const { channels, entropy } = await sharp(one).stats();
  expect(channels.every(({ stdev }) => stdev > 12)).toBe(true);
  expect(entropy).toBeGreaterThan(5);
});
