import { describe, expect, it } from 'vitest';
import { compactDuration, longDuration, minutesBetween } from './durations.ts';

describe('durations', { tags: ['screens.words.5'] }, () => {
  it.each([
    [0, '0m', '0 minutes'],
    [45, '45m', '45 minutes'],
    [60, '1h', '1 hour'],
    [120, '2h', '2 hours'],
    [150, '2h 30m', '2 hours 30 minutes'],
    [200, '3h 20m', '3 hours 20 minutes'],
    [1560, '26h', '1 day 2 hours'],
    [1565, '26h 5m', '1 day 2 hours 5 minutes'],
  ])('format %d minutes as %s and as %s', (minutes, compact, long) => {
    expect([compactDuration(minutes), longDuration(minutes)]).toEqual([compact, long]);
  });

  it('are whole minutes, rounded down, never negative', () => {
    expect([minutesBetween(0, 119_999), minutesBetween(0, 120_000), minutesBetween(5, 0)]).toEqual([1, 2, 0]);
  });
});
