import { describe, expect, it } from 'vitest';
import { hoursLabel, monthName, shortMonth, trendsOf } from './trends.ts';

const periods = {
  thisMonth: { minutes: 30, dates: 1 },
  lastMonth: { minutes: 60, dates: 2 },
  thisYear: { minutes: 90, dates: 3 },
  lastYear: { minutes: 120, dates: 4 },
};
const months = [
  { month: '2025-12', minutes: 120, dates: 4 },
  { month: '2026-10', minutes: 60, dates: 2 },
  { month: '2026-11', minutes: 30, dates: 1 },
];
const labels = (period: 'all' | 'year' | 'month', thisMonth = '2026-11') =>
  trendsOf(period, periods, months, thisMonth).rows.map(({ label }) => label);

describe('time trends (spec 2, contract 5)', () => {
  it('show all four periods and every month for all time', () => {
    expect(labels('all')).toEqual(['This month', 'Last month', 'This year', 'Last year']);
    const { months: shown, sum } = trendsOf('all', periods, months, '2026-11');
    expect(shown).toEqual(months);
    expect(sum).toEqual({ minutes: 210, dates: 7 });
  });
  it('show this year alone, and this month alone', () => {
    expect(labels('year')).toEqual(['This month', 'Last month', 'This year']);
    expect(trendsOf('year', periods, months, '2026-11').months.map(({ month }) => month)).toEqual([
      '2026-10',
      '2026-11',
    ]);
    expect(labels('month')).toEqual(['This month']);
    expect(trendsOf('month', periods, months, '2026-11').sum).toEqual({ minutes: 30, dates: 1 });
  });
  it('know that in January last month was last year', () => {
    expect(labels('year', '2027-01')).toEqual(['This month', 'This year']);
  });
  it('keep the figures of each row', () => {
    expect(trendsOf('all', periods, months, '2026-11').rows.map(({ minutes }) => minutes)).toEqual([30, 60, 90, 120]);
  });
});

describe('the words of the chart', () => {
  it.each([
    [0, '0'],
    [30, '0.5'],
    [120, '2'],
    [595, '9.9'],
    [630, '11'],
    [1995, '33'],
  ])('%i minutes are %s', (minutes, label) => {
    expect(hoursLabel(minutes)).toBe(label);
  });
  it('name a month in any zone', () => {
    expect(monthName('2026-11')).toBe('November 2026');
    expect(shortMonth('2026-01')).toBe('Jan');
  });
});
