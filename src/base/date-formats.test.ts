import { describe, expect, it } from 'vitest';
import {
  chooseFormats,
  clockTime,
  longDate,
  mediumDate,
  monthAndDay,
  monthName,
  shortMonth,
  stubDay,
} from './date-formats.ts';

const at = (iso: string) => Date.parse(iso);

it('formats dates and times in US English with a 12-hour clock', { tags: ['screens.words.5'] }, () => {
  const ms = at('2024-03-04T23:30:00Z');
  expect(longDate(ms, 'Asia/Tokyo')).toBe('Tuesday, March 5, 2024');
  expect(mediumDate(ms, 'UTC')).toBe('Mar 4, 2024');
  expect(clockTime(at('2024-03-05T15:30:00Z'), 'UTC')).toBe('3:30 PM');
  const stub = { weekday: 'Mon', day: '4', month: 'Mar', year: '2024' };
  expect(stubDay(ms, 'UTC')).toEqual({ ...stub, monthAndDay: 'Mar 4' });
  expect(stubDay(ms, 'UTC', 'international')).toEqual({ ...stub, monthAndDay: '4 Mar' });
});

it('formats months, in any zone', () => {
  expect([monthName('2026-11'), monthName('2019-01')]).toEqual(['November 2026', 'January 2019']);
  expect(shortMonth('2026-01')).toBe('Jan');
});

describe('the international formats', { tags: ['screens.words.5'] }, () => {
  const ms = Date.parse('2024-03-05T15:30:00Z');
  it.each([
    [longDate, 'Tuesday, March 5, 2024', 'Tuesday, 5 March 2024'],
    [mediumDate, 'Mar 5, 2024', '5 Mar 2024'],
    [monthAndDay, 'Mar 5', '5 Mar'],
    [clockTime, '3:30 PM', '15:30'],
  ])('are asked for, or chosen for the page', (format, us, international) => {
    expect([format(ms, 'UTC', 'us'), format(ms, 'UTC', 'international')]).toEqual([us, international]);
    expect(format(ms, 'UTC')).toBe(us);
    chooseFormats('international');
    expect(format(ms, 'UTC')).toBe(international);
    chooseFormats('us');
  });

  it('count the hours from 00 to 23', () => {
    expect(clockTime(Date.parse('2024-03-05T00:05:00Z'), 'UTC', 'international')).toBe('00:05');
    expect(clockTime(Date.parse('2024-03-05T09:00:00Z'), 'UTC', 'international')).toBe('09:00');
  });
});
