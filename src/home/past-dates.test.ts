import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf } from '../base/time.ts';
import { findPastDate, pastDateTitle, searchWindows } from './past-dates.ts';

/** A Saturday. Its week runs from Monday the 16th to Sunday the 22nd. */
const NOW = Date.parse('2026-11-21T12:00:00Z');

const dateOn = (start: string, memoryCount = 0) => ({ id: start, start: Date.parse(start), memoryCount });

const recalled = (starts: readonly string[], now = NOW, zone = 'UTC') => {
  const found = findPastDate(
    starts.map((start) => dateOn(start)),
    dayOf(now, zone),
    zone,
  );
  return found && `${pastDateTitle(found)}: ${found.date.id}`;
};

describe('a year ago (issue 5)', () => {
  it('finds the same day of an earlier year, the latest first', () => {
    expect(recalled(['2023-11-21T20:00:00Z', '2025-11-21T20:00:00Z'])).toBe('A year ago today: 2025-11-21T20:00:00Z');
    expect(recalled(['2023-11-21T20:00:00Z'])).toBe('Three years ago today: 2023-11-21T20:00:00Z');
  });
  it('prefers today to another day of the week, and a nearer day to a farther one', () => {
    expect(recalled(['2025-11-20T20:00:00Z', '2022-11-21T20:00:00Z'])).toBe(
      'Four years ago today: 2022-11-21T20:00:00Z',
    );
    expect(recalled(['2025-11-16T20:00:00Z', '2024-11-22T20:00:00Z'])).toBe(
      'Two years ago this week: 2024-11-22T20:00:00Z',
    );
  });
  it('prefers the date with more memories on the same day', () => {
    const found = findPastDate(
      [dateOn('2025-11-21T10:00:00Z', 1), dateOn('2025-11-21T20:00:00Z', 5)],
      '2026-11-21',
      'UTC',
    );
    expect(found?.date.memoryCount).toBe(5);
  });
  it('finds nothing outside of the week, or in this year', () => {
    expect(
      recalled(['2025-11-15T20:00:00Z', '2025-11-23T20:00:00Z', '2026-11-21T08:00:00Z', '2026-11-18T08:00:00Z']),
    ).toBeNull();
    expect(recalled([])).toBeNull();
  });
  it("goes by the day of the actual start in the device's zone", () => {
    expect(recalled(['2025-11-21T23:30:00Z'], NOW, 'Europe/Rome')).toBe('A year ago this week: 2025-11-21T23:30:00Z');
    expect(recalled(['2025-11-20T23:30:00Z'], NOW, 'Europe/Rome')).toBe('A year ago today: 2025-11-20T23:30:00Z');
  });
  it('spans New Year within one week', () => {
    // A Friday. The week started on Monday, December 28, 2026.
    const newYear = Date.parse('2027-01-01T12:00:00Z');
    expect(recalled(['2025-12-31T20:00:00Z'], newYear)).toBe('A year ago this week: 2025-12-31T20:00:00Z');
    expect(recalled(['2026-01-02T20:00:00Z'], newYear)).toBe('A year ago this week: 2026-01-02T20:00:00Z');
    expect(recalled(['2026-12-31T20:00:00Z'], newYear)).toBeNull();
  });
  it('shows February 29 on the 28th', () => {
    expect(recalled(['2024-02-29T20:00:00Z'], Date.parse('2027-02-28T12:00:00Z'))).toBe(
      'Three years ago today: 2024-02-29T20:00:00Z',
    );
  });
  it('searches one range per year, which covers every match', () => {
    const since = Date.parse('2000-01-01T00:00:00Z');
    expect(searchWindows('2026-11-21', since, 'UTC')).toHaveLength(27);
    const zones = fc.constantFrom('UTC', 'Pacific/Auckland', 'America/New_York');
    const minutes = { min: -9 * 1440, max: 9 * 1440 };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 26 }),
        fc.integer(minutes),
        fc.nat(3000),
        zones,
        (years, off, days, zone) => {
          const now = NOW - days * 86_400_000;
          const start = Math.max(since, now - years * 365.25 * 86_400_000 + off * 60_000);
          const today = dayOf(now, zone);
          const found = findPastDate([{ start, memoryCount: 0 }], today, zone);
          const within = searchWindows(today, since, zone).some(({ from, until }) => from <= start && start < until);
          return found === null || within;
        },
      ),
    );
  });
});
