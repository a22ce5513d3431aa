import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byYear, datesToShow, figuresOfYear, type YearDate } from './year.ts';

const ROME = 'Europe/Rome';

/** A date that started at a time and lasted two hours. */
function dateAt(start: string, more: Partial<YearDate> = {}): YearDate {
  const from = Date.parse(start);
  return {
    id: start,
    title: 'Stars',
    category: 'Outdoor',
    plannedDateTime: from,
    start: from,
    end: from + 7_200_000,
    minutes: 120,
    location: null,
    memories: 0,
    ...more,
  };
}

describe('the years', () => {
  it('begin at midnight in the couple’s zone, latest first, without empty ones', { tags: ['stats.year.1'] }, () => {
    const dates = [dateAt('2026-12-31T22:59:59Z'), dateAt('2026-12-31T23:00:00Z'), dateAt('2024-05-01T12:00:00Z')];
    const years = byYear(dates, ROME).map(({ year, dates: own }) => [year, own.map(({ id }) => id)]);
    expect(years).toEqual([
      [2027, ['2026-12-31T23:00:00Z']],
      [2026, ['2026-12-31T22:59:59Z']],
      [2024, ['2024-05-01T12:00:00Z']],
    ]);
    expect(byYear([], ROME)).toEqual([]);
  });
});

describe('the figures of a year', () => {
  it('of a single date', { tags: ['stats.year.2'] }, () => {
    const only = dateAt('2026-11-20T23:30:00Z', { location: 'The river' });
    const figures = figuresOfYear(2026, [only], ROME);
    const holder = { plannedDateId: only.id, title: 'Stars', plannedDateTime: '2026-11-20T23:30:00.000Z' };
    expect(figures).toMatchObject({
      year: 2026,
      totalMinutes: 120,
      dates: 1,
      memories: 0,
      firstDate: { ...holder, value: null },
      lastDate: { ...holder, value: null },
      longestDate: { ...holder, value: 120 },
      mostMemories: null,
      favoriteCategory: { categoryName: 'Outdoor', completedCount: 1, totalMinutes: 120 },
      categories: [{ categoryName: 'Outdoor', completedCount: 1, totalMinutes: 120 }],
      places: [{ location: 'The river', dates: 1 }],
      longestGapDays: 0,
    });
    expect(figures.months).toHaveLength(12);
    expect(figures.months.filter(({ dates }) => dates > 0)).toEqual([{ month: '2026-11', minutes: 120, dates: 1 }]);
    // In Rome it is already Saturday, the 21st.
    expect(figures.weekdays.filter(({ dates }) => dates > 0)).toEqual([{ weekday: 6, dates: 1 }]);
  });

  it('name the five most visited places without regard to case; ties go to the one visited first', {
    tags: ['stats.year.2'],
  }, () => {
    const visits = ['Home', 'the river', 'Café', 'HOME', 'Arezzo', 'La Specola', 'The River', 'home', 'Garden', null];
    const dates = visits.map((location, index) => dateAt(`2026-01-${10 + index}T12:00:00Z`, { location }));
    expect(figuresOfYear(2026, dates.toReversed(), ROME).places).toEqual([
      { location: 'Home', dates: 3 },
      { location: 'the river', dates: 2 },
      { location: 'Café', dates: 1 },
      { location: 'Arezzo', dates: 1 },
      { location: 'La Specola', dates: 1 },
    ]);
  });

  it('count the longest gap in calendar days, over a clock change too', { tags: ['stats.year.2'] }, () => {
    const dates = ['2026-03-27T23:30:00Z', '2026-03-30T21:30:00Z', '2026-04-01T08:00:00Z'].map((at) => dateAt(at));
    expect(figuresOfYear(2026, dates, ROME).longestGapDays).toBe(2);
  });

  it('add up: months, weekdays and categories each hold every date and every minute', {
    tags: ['stats.year.2'],
  }, () => {
    const date = fc.record({
      at: fc.date({
        min: new Date('2026-01-01T00:00:00Z'),
        max: new Date('2026-12-30T00:00:00Z'),
        noInvalidDate: true,
      }),
      minutes: fc.nat(3_000),
      memories: fc.nat(9),
      category: fc.constantFrom('Outdoor', 'Food', 'Active'),
    });
    fc.assert(
      fc.property(fc.array(date, { minLength: 1, maxLength: 30 }), (parts) => {
        const dates = parts.map(({ at, ...more }, index) => dateAt(at.toISOString(), { ...more, id: String(index) }));
        const figures = figuresOfYear(2026, dates, 'UTC');
        const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
        expect(sum(figures.months.map(({ minutes }) => minutes))).toBe(figures.totalMinutes);
        expect(sum(figures.months.map((month) => month.dates))).toBe(figures.dates);
        expect(sum(figures.weekdays.map((day) => day.dates))).toBe(figures.dates);
        expect(sum(figures.categories.map(({ completedCount }) => completedCount))).toBe(figures.dates);
        expect(sum(figures.categories.map(({ totalMinutes }) => totalMinutes))).toBe(figures.totalMinutes);
      }),
    );
  });
});

describe('the dates whose photographs are shown', () => {
  it('are at most 24, from every month that has some, in their order', { tags: ['stats.year.3'] }, () => {
    const inMonth = (month: string, count: number) =>
      Array.from({ length: count }, (_, n) => dateAt(`2026-${month}-${String(n + 1).padStart(2, '0')}T12:00:00Z`));
    const shown = datesToShow([...inMonth('08', 28), ...inMonth('02', 1), ...inMonth('05', 4)], ROME);
    const months = shown.map(({ id }) => id.slice(5, 7));
    expect(shown).toHaveLength(24);
    expect(months.filter((month) => month === '02')).toHaveLength(1);
    expect(months.filter((month) => month === '05')).toHaveLength(4);
    expect(months).toEqual(months.toSorted());
    // Nineteen of the twenty-eight days of August, and not the first nineteen.
    expect(shown.at(-1)?.id).toBe('2026-08-28T12:00:00Z');
  });

  it('are all of them when there are few', { tags: ['stats.year.3'] }, () => {
    const dates = [dateAt('2026-02-01T12:00:00Z'), dateAt('2026-01-01T12:00:00Z')];
    expect(datesToShow(dates, ROME).map(({ id }) => id)).toEqual(['2026-01-01T12:00:00Z', '2026-02-01T12:00:00Z']);
    expect(datesToShow([], ROME)).toEqual([]);
  });
});
