import { describe, expect, it } from 'vitest';
import type { Year } from './contract.ts';
import {
  endText,
  longestMonthOf,
  monthText,
  nameOfMonth,
  numberInWords,
  openingText,
  photographsText,
  placesText,
} from './year-texts.ts';

const thin = { year: 2026, dates: 1, totalMinutes: 0, memories: 0 } as Year;
const full = { year: 2026, dates: 17, totalMinutes: 4_270, memories: 96 } as Year;

describe('the sentences of a year', () => {
  it('say numbers in words up to ninety-nine', () => {
    const numbers = [0, 1, 12, 19, 20, 21, 70, 71, 99, 100, 1_204];
    const words = 'zero one twelve nineteen twenty twenty-one seventy seventy-one ninety-nine 100 1,204'.split(' ');
    expect(numbers.map(numberInWords)).toEqual(words);
  });

  it('open with what there is, and do not mention what there is none of', { tags: ['stats.year.4'] }, () => {
    expect(openingText(full)).toBe('Seventeen dates, seventy-one hours, ninety-six photographs. This is what we kept.');
    expect(openingText(thin)).toBe('One date. This is what we kept.');
    expect(openingText({ ...thin, totalMinutes: 1, memories: 1 })).toBe(
      'One date, one minute, one photograph. This is what we kept.',
    );
    expect(photographsText(full)).toBe('Ninety-six photographs');
  });

  it('name the longest month if there are several to choose from', { tags: ['stats.year.4'] }, () => {
    const months = [
      { month: '2026-01', minutes: 120, dates: 1 },
      { month: '2026-02', minutes: 0, dates: 0 },
      { month: '2026-10', minutes: 1_980, dates: 3 },
    ];
    const october = longestMonthOf({ ...full, months });
    expect(october && [nameOfMonth(october.month), monthText(october)]).toEqual([
      'October',
      'Thirty-three hours, on three dates.',
    ]);
    expect(longestMonthOf({ ...full, months: months.slice(1) })).toBeNull();
    expect(longestMonthOf({ ...full, months: months.map((month) => ({ ...month, minutes: 0 })) })).toBeNull();
  });

  it('name the place of several dates, and say it if each place is new', { tags: ['stats.year.4'] }, () => {
    const place = (location: string, dates: number) => ({ location, dates });
    expect(placesText([place('Lungarno', 3), place('Home', 1)])).toBe('Lungarno, again and again');
    expect(placesText([place('Lungarno', 1), place('Home', 1)])).toBe('Somewhere new each time');
    expect(placesText([place('Lungarno', 1)])).toBe('Lungarno');
    expect(placesText([])).toBe('');
  });

  it('end with what is left of the year', () => {
    expect(endText(full, '2026-12-10')).toBe('There is still a page free for December 31.');
    expect(endText(full, '2026-12-31')).toBe('It ends tonight.');
    expect(endText(full, '2027-01-01')).toBe('Seventeen dates to come back to.');
  });
});
