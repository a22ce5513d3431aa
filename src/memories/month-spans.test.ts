import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayOf } from '../base/instants.ts';
import { monthsBetween } from './month-spans.ts';

it('follow the time zone, and include empty months between others', { tags: ['memories.lists.3'] }, () => {
  // 11:30 p.m. on October 31 in London is already November in Rome.
  const late = Date.UTC(2026, 9, 31, 23, 30);
  expect(monthsBetween(late, late, 'Europe/Rome').map(({ month }) => month)).toEqual(['2026-11']);
  expect(monthsBetween(late, late, 'Europe/London').map(({ month }) => month)).toEqual(['2026-10']);
  expect(monthsBetween(Date.UTC(2025, 10, 5), Date.UTC(2026, 1, 5), 'UTC').map(({ month }) => month)).toEqual([
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
  ]);
});

it('cover every instant exactly once', () => {
  const instant = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) });
  const zone = fc.constantFrom('UTC', 'Europe/Rome', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu');
  fc.assert(
    fc.property(instant, instant, zone, (one, other, zone) => {
      const [first, last] = [Math.min(one, other), Math.max(one, other)];
      const spans = monthsBetween(first, last, zone);
      expect(spans[0]?.from).toBeLessThanOrEqual(first);
      expect(spans.at(-1)?.until).toBeGreaterThan(last);
      spans.forEach(({ month, from, until }, n) => {
        expect(dayOf(from, zone).slice(0, 7)).toBe(month);
        expect(dayOf(until - 1, zone).slice(0, 7)).toBe(month);
        if (n > 0) expect(from).toBe(spans[n - 1]?.until);
      });
    }),
  );
});
