import { describe, expect, it } from 'vitest';
import { addDays, daysBetween, parseCalendarDate, startOfDay } from './calendar-days.ts';
import { formatInstant } from './instants.ts';

it.each([
  ['2019-06-01', '2019-06-01'],
  ['2019-02-29', null],
  ['2019-6-1', null],
  ['', null],
])('the calendar date %j is %j', (text, date) => expect(parseCalendarDate(text)).toBe(date));

describe('calendar days', () => {
  it('are counted by the calendar, not in 24 hours', () => {
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
    expect(daysBetween('2026-11-21', '2026-11-20')).toBe(-1);
    expect(addDays('2024-02-28', 2)).toBe('2024-03-01');
  });

  it('begin after a midnight that a clock change skips', () => {
    expect(formatInstant(startOfDay('2018-11-04', 'America/Sao_Paulo'))).toBe('2018-11-04T03:00:00.000Z');
  });
});
