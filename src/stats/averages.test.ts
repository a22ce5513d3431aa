import { describe, expect, it } from 'vitest';
import { averageMinutesOf, averagePerDate } from './averages.ts';

describe('averages', () => {
  it('of time are rounded down, and are 0 without dates', { tags: ['stats.wire.4', 'stats.screen.3'] }, () => {
    expect([averageMinutesOf(100, 3), averageMinutesOf(0, 0), averageMinutesOf(59, 60)]).toEqual([33, 0, 0]);
  });
  it('of memories have one decimal', { tags: ['stats.wire.4'] }, () => {
    expect([averagePerDate(5, 3), averagePerDate(4, 2), averagePerDate(7, 0)]).toEqual([1.7, 2, 0]);
  });
});
