import { describe, expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import { ideaAgeText, lastPlannedText, relativeDay, timesPlannedText } from './idea-age-texts.ts';

const NOW = Date.parse('2026-11-21T20:00:00Z');

describe('relative time for ideas', { tags: ['ideas.list.7'] }, () => {
  it.each([
    [0, 'today'],
    [-1, 'yesterday'],
    [-2, '2 days ago'],
    [-6, '6 days ago'],
    [-7, '1 week ago'],
    [-14, '2 weeks ago'],
    [-29, '4 weeks ago'],
    [-30, '1 month ago'],
    [-60, '2 months ago'],
    [-364, '12 months ago'],
    [-365, '1 year ago'],
    [-800, '2 years ago'],
    [1, 'tomorrow'],
    [3, 'in 3 days'],
    [14, 'in 2 weeks'],
    [60, 'in 2 months'],
    [366, 'in 1 year'],
  ])('%i days', (days, text) => expect(relativeDay(NOW + days * DAY, NOW, 'UTC')).toBe(text));

  it('uses calendar days of the zone, not 24 hours', () => {
    const now = Date.parse('2026-11-21T00:30:00+01:00');
    const before = Date.parse('2026-11-20T23:30:00+01:00');
    expect(relativeDay(before, now, 'Europe/Rome')).toBe('yesterday');
    expect(relativeDay(before, now, 'America/New_York')).toBe('today');
  });

  it('gives when an idea was last planned, or else created', { tags: ['ideas.list.7', 'dates.plan.1'] }, () => {
    const lastPlannedDate = new Date(NOW + 3 * DAY).toISOString();
    const createdAt = new Date(NOW - 2 * DAY).toISOString();
    expect(ideaAgeText({ lastPlannedDate, createdAt }, NOW, 'UTC')).toBe('Last planned in 3 days');
    expect(ideaAgeText({ lastPlannedDate: null, createdAt }, NOW, 'UTC')).toBe('Created 2 days ago');
    expect(lastPlannedText({ lastPlannedDate: null }, NOW, 'UTC')).toBeNull();
  });

  it("shows no creation date in the future when the server's clock is ahead", () => {
    const createdAt = '2026-11-21T00:00:02.000Z';
    const now = Date.parse('2026-11-20T23:59:59Z');
    expect(ideaAgeText({ lastPlannedDate: null, createdAt }, now, 'UTC')).toBe('Created today');
  });

  it('gives how often it was planned', { tags: ['dates.plan.1'] }, () => {
    expect([0, 1, 3].map(timesPlannedText)).toEqual(['0 times planned', '1 time planned', '3 times planned']);
  });
});
