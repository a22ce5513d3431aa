import { describe, expect, it } from 'vitest';
import { dayFills } from './day-fills.ts';

const ZONE = 'Europe/Rome';
const NOW = Date.parse('2026-11-26T12:00:00Z');

describe('a quick fill of the form for what happened', () => {
  it('fills both times on the day in ‘Started’, or on yesterday while that is empty', {
    tags: ['dates.past.4'],
  }, () => {
    expect(dayFills({ actualStartTime: '2019-06-01T11:30' }, NOW, ZONE)).toEqual([
      { label: 'Evening', start: '2019-06-01T19:00', end: '2019-06-01T22:00' },
      { label: 'Afternoon', start: '2019-06-01T14:00', end: '2019-06-01T18:00' },
      { label: 'Whole day', start: '2019-06-01T10:00', end: '2019-06-01T22:00' },
    ]);
    expect(dayFills({ actualStartTime: '' }, NOW, ZONE)[0]?.start).toBe('2026-11-25T19:00');
  });
});
