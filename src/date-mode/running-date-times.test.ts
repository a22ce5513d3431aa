import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../base/durations.ts';
import { elapsedParts, endChoices, minutesSinceStart, plannedUntilText, sinceText } from './running-date-times.ts';

const START = Date.parse('2026-11-14T18:15:00Z');
const running = (planned: number | null = 130) => ({
  plannedDateTime: '2026-11-14T18:00:00.000Z',
  actualStartTime: new Date(START).toISOString(),
  endDateTime: planned === null ? null : new Date(START + planned * MINUTE).toISOString(),
});
const at = (minutes: number) => START + minutes * MINUTE;

describe('the time since the start', { tags: ['datemode.2'] }, () => {
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

  it('is described with the start and the planned end', () => {
    expect(sinceText(running(), 'UTC')).toBe('since 6:15 PM');
    expect(plannedUntilText(running(), at(102), 'UTC')).toBe('planned until 8:25 PM');
    expect(plannedUntilText(running(), at(130), 'UTC')).toBeNull();
    expect(plannedUntilText(running(null), at(1), 'UTC')).toBeNull();
  });
});

it('the end of a date is now or a while ago, but never before its start', { tags: ['datemode.11'] }, () => {
  const labels = (minutes: number) => endChoices(running(), at(minutes)).map(({ label }) => label);
  expect(labels(1)).toEqual(['Now']);
  expect(labels(61)).toEqual(['Now', '30 minutes ago', '1 hour ago']);
  expect(labels(180)).toEqual(['Now', '30 minutes ago', '1 hour ago', '2 hours ago']);
  expect(endChoices(running(), at(61))[1]?.end).toBe(at(31));
  expect(endChoices(running(), at(61))[2]?.end).toBe(at(61) - HOUR);
});
