import { describe, expect, it } from 'vitest';
import { minutesIn, runningDate } from '../../tests/support/running-date.ts';
import { HOUR } from '../base/durations.ts';
import { elapsedParts, endChoices, minutesSinceStart, plannedUntilText, sinceText } from './running-date-times.ts';

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
    expect(minutesSinceStart(runningDate(), minutesIn(minutes) + 59_999)).toBe(minutes);
    expect(elapsedParts(minutes)).toEqual(parts);
  });

  it('is what a clock without seconds shows', () => {
    const date = { ...runningDate(), actualStartTime: new Date(minutesIn(0) + 50_000).toISOString() };
    expect(minutesSinceStart(date, minutesIn(102))).toBe(102);
  });

  it('is 0 for a device whose clock is behind', () => {
    expect(minutesSinceStart(runningDate(), minutesIn(-3))).toBe(0);
  });

  it('is described with the start and the planned end', () => {
    expect(sinceText(runningDate(), 'UTC')).toBe('since 6:15 PM');
    expect(plannedUntilText(runningDate(), minutesIn(102), 'UTC')).toBe('planned until 8:25 PM');
    expect(plannedUntilText(runningDate(), minutesIn(130), 'UTC')).toBeNull();
    expect(plannedUntilText(runningDate(null), minutesIn(1), 'UTC')).toBeNull();
  });
});

it('the end of a date is now or a while ago, but never before its start', { tags: ['datemode.11'] }, () => {
  const labels = (minutes: number) => endChoices(runningDate(), minutesIn(minutes)).map(({ label }) => label);
  expect(labels(1)).toEqual(['Now']);
  expect(labels(61)).toEqual(['Now', '30 minutes ago', '1 hour ago']);
  expect(labels(180)).toEqual(['Now', '30 minutes ago', '1 hour ago', '2 hours ago']);
  expect(endChoices(runningDate(), minutesIn(61))[1]?.end).toBe(minutesIn(31));
  expect(endChoices(runningDate(), minutesIn(61))[2]?.end).toBe(minutesIn(61) - HOUR);
});
