import { describe, expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import { ideaBadges } from './idea-badges.ts';

const NOW = Date.parse('2026-11-21T20:00:00Z');

describe('badges', { tags: ['ideas.list.6'] }, () => {
  it.each([
    ['today', 0, 2, ['New']],
    ['7 days ago', 7, 3, ['New', 'Popular']],
    ['8 days ago', 8, 3, ['Popular']],
    ['long ago', 100, 0, []],
  ])('created %s', (_, days, plannedDatesCount, badges) => {
    const createdAt = new Date(NOW - days * DAY).toISOString();
    expect(ideaBadges({ createdAt, plannedDatesCount }, NOW, 'UTC')).toEqual(badges);
  });
});
