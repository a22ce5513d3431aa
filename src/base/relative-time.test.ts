import { describe, expect, it } from 'vitest';
import { relativeTime, timeSince } from './relative-time.ts';

const at = (iso: string) => Date.parse(iso);

describe('relative time', { tags: ['screens.words.8'] }, () => {
  const now = at('2026-11-21T12:00:00Z');
  it.each([
    [0, '0 seconds ago'],
    [1, '1 second ago'],
    [59, '59 seconds ago'],
    [60, '1 minute ago'],
    [3600, '1 hour ago'],
    [86_400, '1 day ago'],
    [6 * 86_400, '6 days ago'],
    [7 * 86_400, '1 week ago'],
    [27 * 86_400, '3 weeks ago'],
    [28 * 86_400, '1 month ago'],
    [65 * 86_400, '2 months ago'],
    [359 * 86_400, '11 months ago'],
    [360 * 86_400, '1 year ago'],
    [800 * 86_400, '2 years ago'],
    [-3 * 86_400, 'in 3 days'],
  ])('formats %d seconds ago as %s', (seconds, said) => expect(relativeTime(now - seconds * 1000, now)).toBe(said));

  it('has three styles', { tags: ['screens.words.8'] }, () => {
    expect(relativeTime(now - 2 * 86_400_000, now, 'short')).toBe('2d ago');
    expect(relativeTime(now - 2 * 86_400_000, now, 'romantic')).toBe('2 days ago, still close to our hearts');
    expect(relativeTime(now + 3_600_000, now, 'romantic')).toBe('only 1 hour to wait');
    expect(relativeTime(now, now, 'romantic')).toBe('just a heartbeat ago');
  });

  it('of the past never is in the future, even if the clock is behind', { tags: ['screens.words.7'] }, () => {
    expect(timeSince(now + 20_000, now)).toBe('0 seconds ago');
    expect(timeSince(now - 120_000, now)).toBe('2 minutes ago');
    expect(timeSince(now + 20_000, now, 'romantic')).toBe('just a heartbeat ago');
  });
});
