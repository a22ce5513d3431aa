import { describe, expect, it } from 'vitest';
import { averageMinutesOf, averagePerDate, averageText, datesText, memoriesText } from './completed-dates.ts';

describe('averages', () => {
  it.each([
    [0, '0 hours'],
    [1, '1 minute'],
    [45, '45 minutes'],
    [60, '1 hour'],
    [120, '2 hours'],
    [150, '2h 30m'],
    [1565, '26h 5m'],
  ])('of %i minutes are “%s”', { tags: ['stats.screen.3'] }, (minutes, text) => {
    expect(averageText(minutes)).toBe(text);
  });
  it('of time are rounded down, and are 0 without dates', { tags: ['stats.wire.4', 'stats.screen.3'] }, () => {
    expect([averageMinutesOf(100, 3), averageMinutesOf(0, 0), averageMinutesOf(59, 60)]).toEqual([33, 0, 0]);
  });
  it('of memories have one decimal', { tags: ['stats.wire.4'] }, () => {
    expect([averagePerDate(5, 3), averagePerDate(4, 2), averagePerDate(7, 0)]).toEqual([1.7, 2, 0]);
  });
});

it('counts in words', { tags: ['stats.screen.2'] }, () => {
  expect([0, 1, 12].map(datesText)).toEqual(['No dates yet', '1 beautiful date', '12 beautiful dates']);
  expect([0, 1, 12].map(memoriesText)).toEqual(['No memories yet', '1 precious memory', '12 precious memories']);
});
