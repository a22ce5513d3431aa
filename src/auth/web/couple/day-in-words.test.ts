import { describe, expect, it } from 'vitest';
import { dayInWords } from './day-in-words.ts';

describe('a day in words', () => {
  it.each([
    ['2024-03-01', 'the first of March 2024'],
    ['2019-12-20', 'the twentieth of December 2019'],
    ['1999-02-22', 'the twenty-second of February 1999'],
    ['2020-01-30', 'the thirtieth of January 2020'],
    ['2020-01-31', 'the thirty-first of January 2020'],
  ])('%s is %s', (date, words) => expect(dayInWords(date)).toBe(words));
  it('has a word for every day', () => {
    const days = Array.from({ length: 31 }, (_, index) => dayInWords(`2024-01-${String(index + 1).padStart(2, '0')}`));
    expect(new Set(days).size).toBe(31);
    for (const day of days) expect(day).toMatch(/^the [a-z-]+(st|nd|rd|th|first|second|third) of January 2024$/);
  });
});
