import { describe, expect, it } from 'vitest';
import { hoursLabel, trendsOf, yearsOf } from './trends.ts';

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

describe('time trends', () => {
  it('show all four periods and every month for all time', () => {
    expect(labels('all')).toEqual(['This month', 'Last month', 'This year', 'Last year']);
    const { months: shown, sum } = trendsOf('all', periods, months, '2026-11');
    expect(shown).toEqual(months);
    expect(sum).toEqual({ minutes: 210, dates: 7 });
  });
  it('show only this year, and only this month', { tags: ['stats.screen.7'] }, () => {
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

describe('the columns of the chart', () => {
  const story = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const month = first + index;
      return {
        month: `${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`,
        minutes: 60,
        dates: 1,
      };
    });
  it('are in one row up to twelve months, then in one row per year, so that each has its label', {
    tags: ['stats.screen.8'],
  }, () => {
    expect(yearsOf(story(9, 12))).toBeNull();
    const years = yearsOf(story(9, 13)) ?? [];
    expect(years.map(({ year }) => year)).toEqual(['2021', '2020']);
    expect(years.every((row) => row.months.length === 12)).toBe(true);
    expect(years[0]?.months.map((month) => month?.month ?? '')).toEqual([
      '2021-01',
      '2021-02',
      '2021-03',
      '2021-04',
      '2021-05',
      '2021-06',
      '2021-07',
      '2021-08',
      '2021-09',
      '2021-10',
      '',
      '',
    ]);
    expect(years[1]?.months.filter((month) => month !== null)).toHaveLength(3);
  });
});

describe('the labels of the chart', () => {
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
});
