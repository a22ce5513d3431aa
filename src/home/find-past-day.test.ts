import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf } from '../base/instants.ts';
import { findPastDay, pastDateTitle } from './find-past-day.ts';

/** A Saturday. Its week runs from Monday the 16th to Sunday the 22nd. */
const NOW = Date.parse('2026-11-21T12:00:00Z');

const dateOn = (start: string) => ({ id: start, start: Date.parse(start) });

const recalled = (starts: readonly string[], now = NOW, zone = 'UTC') => {
  const found = findPastDay(starts.map(dateOn), dayOf(now, zone), zone);
  return found && `${pastDateTitle(found)}: ${found.dates.map(({ id }) => id).join(', ')}`;
};

describe('a year ago', () => {
  it('finds the same day of an earlier year, the latest first', { tags: ['stats.wire.12'] }, () => {
    expect(recalled(['2023-11-21T20:00:00Z', '2025-11-21T20:00:00Z'])).toBe('A year ago today: 2025-11-21T20:00:00Z');
    expect(recalled(['2023-11-21T20:00:00Z'])).toBe('Three years ago today: 2023-11-21T20:00:00Z');
  });
  it('prefers today to another day of the week, and a nearer day to a farther one', { tags: ['stats.wire.12'] }, () => {
    expect(recalled(['2025-11-20T20:00:00Z', '2022-11-21T20:00:00Z'])).toBe(
      'Four years ago today: 2022-11-21T20:00:00Z',
    );
    expect(recalled(['2025-11-16T20:00:00Z', '2024-11-22T20:00:00Z'])).toBe(
      'Two years ago this week: 2024-11-22T20:00:00Z',
    );
  });
  it('finds all dates of the day, to choose from', { tags: ['stats.wire.12'] }, () => {
    expect(recalled(['2025-11-21T10:00:00Z', '2025-11-20T10:00:00Z', '2025-11-21T20:00:00Z'])).toBe(
      'A year ago today: 2025-11-21T10:00:00Z, 2025-11-21T20:00:00Z',
    );
  });
  it('finds nothing outside of the week, or in this year', { tags: ['stats.wire.12'] }, () => {
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
    // In a leap year, the 28th and the 29th are days of their own.
    const leapDay = Date.parse('2028-02-29T12:00:00Z');
    expect(recalled(['2027-02-28T20:00:00Z'], leapDay)).toBe('A year ago this week: 2027-02-28T20:00:00Z');
    expect(recalled(['2024-02-29T20:00:00Z'], leapDay)).toBe('Four years ago today: 2024-02-29T20:00:00Z');
  });
  it('finds every day of the week in every earlier year, in every zone', () => {
    const zones = fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York');
    const moment = fc.record({ daysAgo: fc.nat(3000), weekday: fc.nat(6), years: fc.integer({ min: 1, max: 90 }) });
    fc.assert(
      fc.property(moment, fc.nat(1439), zones, ({ daysAgo, weekday, years }, minute, zone) => {
        const today = Temporal.PlainDate.from('2028-12-31').subtract({ days: daysAgo });
        const day = today.subtract({ days: today.dayOfWeek - 1 - weekday });
        const start = day.subtract({ years }).toZonedDateTime(zone).add({ minutes: minute }).epochMilliseconds;
        expect(findPastDay([{ start }], today.toString(), zone)).not.toBeNull();
      }),
    );
  });
});
