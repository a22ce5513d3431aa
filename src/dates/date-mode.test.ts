import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../base/time.ts';
import {
  elapsedParts,
  endChoices,
  mapsUrl,
  minutesSinceStart,
  plannedUntilText,
  seamOf,
  seamText,
  sinceText,
} from './date-mode.ts';
import { pointAt, restDashes, sewnDashes } from './seam-path.ts';

const START = Date.parse('2026-11-14T18:15:00Z');
const running = (planned: number | null = 130) => ({
  plannedDateTime: '2026-11-14T18:00:00.000Z',
  actualStartTime: new Date(START).toISOString(),
  endDateTime: planned === null ? null : new Date(START + planned * MINUTE).toISOString(),
});
const at = (minutes: number) => START + minutes * MINUTE;

describe('the time since the start', { tags: ['home.datemode.2'] }, () => {
  it.each([
    [0, [[0, 'm']]],
    [59, [[59, 'm']]],
    [
      102,
      [
        [1, 'h'],
        [42, 'm'],
      ],
    ],
    [
      1570,
      [
        [26, 'h'],
        [10, 'm'],
      ],
    ],
  ])('after %i minutes', (minutes, parts) => {
    expect(minutesSinceStart(running(), at(minutes) + 59_999)).toBe(minutes);
    expect(elapsedParts(minutes)).toEqual(parts);
  });

  it('is what a clock without seconds shows', () => {
    const date = { ...running(), actualStartTime: new Date(START + 50_000).toISOString() };
    expect(minutesSinceStart(date, at(102))).toBe(102);
  });

  it('is 0 for a device whose clock is behind', () => {
    expect(minutesSinceStart(running(), at(-3))).toBe(0);
  });

  it('is described in words, with the start and the planned end', () => {
    expect(seamText(running(), at(102))).toBe('1 hour 42 minutes of about 2 hours 10 minutes');
    expect(seamText(running(), at(131))).toBe('2 hours 11 minutes');
    expect(seamText(running(null), at(5))).toBe('5 minutes');
    expect(sinceText(running(), 'UTC')).toBe('since 6:15 PM');
    expect(plannedUntilText(running(), at(102), 'UTC')).toBe('planned until 8:25 PM');
    expect(plannedUntilText(running(), at(130), 'UTC')).toBeNull();
    expect(plannedUntilText(running(null), at(1), 'UTC')).toBeNull();
  });
});

describe('the seam', { tags: ['home.datemode.2'] }, () => {
  it('has a stitch every ten minutes, a knot every hour, and dots for what is still planned', () => {
    const seam = seamOf(running(200), at(100));
    expect(seam).toMatchObject({ sewn: 0.5, hasRest: true, knots: [0, 0.3] });
    expect(seam.stitches).toHaveLength(10);
    expect(seam.stitches.at(-1)).toBe(0.45);
  });

  it('keeps its length past the planned end, without dots', () => {
    expect(seamOf(running(60), at(240))).toMatchObject({ sewn: 1, hasRest: false, knots: [0, 0.25, 0.5, 0.75] });
  });

  it('stays drawable for a date of days, and at its very start', () => {
    const long = seamOf(running(null), at(3 * 24 * 60));
    expect(long.stitches.length).toBeLessThanOrEqual(36);
    expect(long.knots.length).toBeLessThanOrEqual(36);
    expect(seamOf(running(), at(0))).toMatchObject({ sewn: 0, stitches: [], knots: [] });
  });

  it('is drawn from the start of its line to the needle', () => {
    expect(pointAt(0)).toEqual({ x: 4, y: 34 });
    expect(pointAt(1)).toEqual({ x: 268, y: 32 });
    expect(pointAt(0.5).x).toBeGreaterThan(120);
    expect(pointAt(0.5).x).toBeLessThan(150);
    expect(sewnDashes([0, 0.1], 0.15)).toBe('76 24 50 1000');
    expect(sewnDashes([], 0)).toBe('0 1000');
    expect(restDashes(1)).toBe('0 1000');
    expect(restDashes(0.97)).toBe('0 1000');
    expect(restDashes(0.95)).toBe('0 963 0.1 26 0 1000');
  });
});

it('the end of a date is now or a while ago, but never before its start', { tags: ['home.datemode.11'] }, () => {
  const labels = (minutes: number) => endChoices(running(), at(minutes)).map(({ label }) => label);
  expect(labels(1)).toEqual(['Now']);
  expect(labels(61)).toEqual(['Now', '30 minutes ago', '1 hour ago']);
  expect(labels(180)).toEqual(['Now', '30 minutes ago', '1 hour ago', '2 hours ago']);
  expect(endChoices(running(), at(61))[1]?.end).toBe(at(31));
  expect(endChoices(running(), at(61))[2]?.end).toBe(at(61) - HOUR);
});

it.each([
  ['Mozilla/5.0 (Linux; Android 16; Pixel 10)', 'geo:0,0?q=Caf%C3%A9%20%26%20Bar%2C%20Turin'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)', 'https://maps.apple.com/?q=Caf%C3%A9%20%26%20Bar%2C%20Turin'],
  ['Mozilla/5.0 (Windows NT 10.0)', 'https://www.google.com/maps/search/?api=1&query=Caf%C3%A9%20%26%20Bar%2C%20Turin'],
  [null, 'https://www.google.com/maps/search/?api=1&query=Caf%C3%A9%20%26%20Bar%2C%20Turin'],
])('the place opens in the maps of the device: %s', { tags: ['home.datemode.2'] }, (userAgent, url) => {
  expect(mapsUrl('Café & Bar, Turin', userAgent)).toBe(url);
});
