import sharp from 'sharp';
import { expect, it } from 'vitest';
import { dates } from './demo-data.ts';
import { photographOf } from './photographs.ts';

it('shows each scene in other parts of its pictures, with their time in EXIF', {
  tags: ['home.dashboard.21'],
}, async () => {
  const numbers = Array.from({ length: 9 }, (_, number) => number);
  const take = (number: number) => photographOf('lamps', number, '2026:10:14 19:41:09', '+02:00');
  const photographs = await Promise.all(numbers.map(take));
  expect(new Set(photographs.map((bytes) => bytes.toString('base64'))).size).toBe(numbers.length);
  expect(await take(0)).toEqual(photographs[0]);
  for (const bytes of photographs) {
    const { width, height, exif } = await sharp(bytes).metadata();
    expect(Math.max(width, height)).toBeGreaterThan(500);
    expect(exif?.toString('latin1')).toContain('2026:10:14 19:41:09');
    // It has the contrast and the detail of a photograph, not a plain surface.
    const { channels, entropy } = await sharp(bytes).stats();
    expect(channels.every(({ stdev }) => stdev > 12)).toBe(true);
    expect(entropy).toBeGreaterThan(5);
  }
});

it('has 40 dates and 200 photographs, of scenes that have pictures', { tags: ['home.dashboard.21'] }, async () => {
  expect(dates).toHaveLength(40);
  expect(dates.reduce((sum, { photos }) => sum + photos, 0)).toBe(200);
  const corrected = dates.filter(({ beganEarlier, misspelled }) => beganEarlier ?? misspelled);
  expect(corrected).toHaveLength(2);
  expect(corrected.every(({ photos, isAddedLater }) => photos > 0 && !isAddedLater)).toBe(true);
  expect(dates.filter(({ isAddedLater }) => isAddedLater).map(({ status }) => status)).toEqual(
    Array.from({ length: 3 }, () => 'completed'),
  );
  for (const scene of new Set(dates.map((date) => date.scene))) {
    expect((await photographOf(scene, 0, '2026:10:14 19:41:09', '+00:00')).length).toBeGreaterThan(10_000);
  }
});
