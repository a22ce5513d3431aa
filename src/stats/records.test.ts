import { describe, expect, it } from 'vitest';
import { MINUTE } from '../base/durations.ts';
import { byMonth } from './periods.ts';
import { recordsOf } from './records.ts';

const NOW = Date.parse('2026-03-15T12:00:00Z');

describe('records: ties go to the earliest', { tags: ['stats.wire.9'] }, () => {
  const date = (id: string, start: string, minutes: number) => {
    const from = Date.parse(start);
    const planned = from - 30 * MINUTE;
    return {
      id,
      title: `Date ${id}`,
      category: 'Food',
      plannedDateTime: planned,
      start: from,
      minutes,
      end: from + minutes * MINUTE,
    };
  };
  const completed = [
    date('c', '2026-02-20T20:00:00Z', 120),
    date('a', '2026-01-10T20:00:00Z', 30),
    date('d', '2026-02-25T20:00:00Z', 120),
    date('b', '2026-01-20T20:00:00Z', 30),
  ];

  it('longest, shortest, first, most memories, busiest month', () => {
    const photographed = [
      { ...date('d', '2026-02-25T20:00:00Z', 120), memories: 7 },
      { ...date('b', '2026-01-20T20:00:00Z', 30), memories: 7 },
    ];
    expect(recordsOf(completed, photographed, byMonth(completed, NOW, 'UTC'))).toEqual({
      longestDate: { plannedDateId: 'c', title: 'Date c', plannedDateTime: '2026-02-20T19:30:00.000Z', value: 120 },
      shortestDate: { plannedDateId: 'a', title: 'Date a', plannedDateTime: '2026-01-10T19:30:00.000Z', value: 30 },
      mostMemories: { plannedDateId: 'b', title: 'Date b', plannedDateTime: '2026-01-20T19:30:00.000Z', value: 7 },
      firstDate: { plannedDateId: 'a', title: 'Date a', plannedDateTime: '2026-01-10T19:30:00.000Z', value: null },
      busiestMonth: { month: '2026-01', dates: 2 },
    });
  });

  it('none without dates', () => {
    const none = { longestDate: null, shortestDate: null, mostMemories: null, firstDate: null, busiestMonth: null };
    expect(recordsOf([], [], [])).toEqual(none);
  });
});
