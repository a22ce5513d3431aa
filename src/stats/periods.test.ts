import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import { byMonth, monthOf, periodsOf } from './periods.ts';

const NOW = Date.parse('2026-03-15T12:00:00Z');
const from = (start: string, minutes: number) => ({ start: Date.parse(start), minutes });

describe('by month', () => {
  it('runs from the first completed date to now, empty months included', { tags: ['stats.wire.3'] }, () => {
    const dates = [from('2026-02-28T23:30:00Z', 60), from('2025-11-03T10:00:00Z', 30), from('2026-02-01T00:00:00Z', 5)];
    expect(byMonth(dates, NOW, 'UTC')).toEqual([
      { month: '2025-11', minutes: 30, dates: 1 },
      { month: '2025-12', minutes: 0, dates: 0 },
      { month: '2026-01', minutes: 0, dates: 0 },
      { month: '2026-02', minutes: 65, dates: 2 },
      { month: '2026-03', minutes: 0, dates: 0 },
    ]);
  });

  it('is empty without dates', { tags: ['stats.wire.3'] }, () => expect(byMonth([], NOW, 'UTC')).toEqual([]));

  it("counts a date on the day it started in the couple's zone, however long it took", {
    tags: ['stats.wire.2'],
  }, () => {
    const newYearsEve = [from('2026-01-01T04:30:00Z', 30 * 60)];
    expect(byMonth(newYearsEve, NOW, 'UTC').map(({ month }) => month)).toEqual(['2026-01', '2026-02', '2026-03']);
    const inNewYork = byMonth(newYearsEve, NOW, 'America/New_York');
    expect(inNewYork[0]).toEqual({ month: '2025-12', minutes: 1800, dates: 1 });
  });

  it('starts months at midnight on both sides of a clock change', { tags: ['stats.wire.2'] }, () => {
    // Rome is at UTC+2 before the clock change in October 2025, and at UTC+1 after it.
    const dates = [from('2025-10-31T22:59:00Z', 1), from('2025-10-31T23:00:00Z', 2)];
    const [october, november] = byMonth(dates, NOW, 'Europe/Rome');
    expect([october?.minutes, november?.minutes]).toEqual([1, 2]);
  });

  it('has consecutive months that lose nothing, in any zone', () => {
    const zones = fc.constantFrom('UTC', 'Pacific/Apia', 'America/St_Johns', 'Africa/Casablanca', 'Asia/Kathmandu');
    const some = fc.array(
      fc.record({ start: fc.integer({ min: NOW - 2000 * DAY, max: NOW }), minutes: fc.nat(2000) }),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(some, zones, (dates, zone) => {
        const months = byMonth(dates, NOW, zone);
        expect(months.map(({ month }) => month)).toEqual([...new Set(months.map(({ month }) => month))].toSorted());
        for (const { month, dates: count } of months) {
          expect(dates.filter(({ start }) => monthOf(start, zone) === month)).toHaveLength(count);
        }
        const sum = months.reduce((total, { minutes }) => total + minutes, 0);
        expect(sum).toBe(dates.reduce((total, { minutes }) => total + minutes, 0));
        expect(months.at(-1)?.month).toBe(monthOf(NOW, zone));
      }),
    );
  });
});

describe('the four periods', () => {
  it("are the couple's calendar months and years", () => {
    const dates = [
      from('2026-03-01T00:00:00Z', 1),
      from('2026-02-14T19:00:00Z', 10),
      from('2026-01-01T00:00:00Z', 100),
      from('2025-12-31T23:59:00Z', 1000),
      from('2024-06-01T00:00:00Z', 10_000),
    ];
    expect(periodsOf(byMonth(dates, NOW, 'UTC'), NOW, 'UTC')).toEqual({
      thisMonth: { minutes: 1, dates: 1 },
      lastMonth: { minutes: 10, dates: 1 },
      thisYear: { minutes: 111, dates: 3 },
      lastYear: { minutes: 1000, dates: 1 },
    });
    expect(periodsOf(byMonth(dates, NOW, 'America/New_York'), NOW, 'America/New_York')).toEqual({
      thisMonth: { minutes: 0, dates: 0 },
      lastMonth: { minutes: 11, dates: 2 },
      thisYear: { minutes: 11, dates: 2 },
      lastYear: { minutes: 1100, dates: 2 },
    });
  });

  it('include December as last month in January, and are zero without dates', () => {
    const january = Date.parse('2026-01-10T12:00:00Z');
    const months = byMonth([from('2025-12-24T18:00:00Z', 90)], january, 'UTC');
    expect(periodsOf(months, january, 'UTC').lastMonth).toEqual({ minutes: 90, dates: 1 });
    expect(periodsOf([], january, 'UTC').thisYear).toEqual({ minutes: 0, dates: 0 });
  });
});
