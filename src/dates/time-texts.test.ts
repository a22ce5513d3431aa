import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../base/durations.ts';
import type { DateStatus } from './rules.ts';
import { actualDurationText, cardTimeText, countdownText, plannedDurationText, timeUntilText } from './time-texts.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const at = (distance: number) => new Date(NOW + distance).toISOString();

describe('the countdown', { tags: ['home.dashboard.9'] }, () => {
  it.each([
    [10 * DAY, '10 days to go'],
    [2 * DAY - 1, '1 day to go'],
    [DAY, '1 day to go'],
    [DAY - 1, '23 hours to go'],
    [HOUR, '1 hour to go'],
    [HOUR - 1, '59 minutes to go'],
    [90_000, '1 minute to go'],
    [1, '1 minute to go'],
    [0, 'Starting soon!'],
    [-DAY, 'Starting soon!'],
  ])('%i ms ahead', (distance, text) => expect(countdownText(at(distance), NOW)).toBe(text));
});

describe('time until', { tags: ['dates.list.8'] }, () => {
  const text = (status: DateStatus, planned: number, start: number | null = null, end: number | null = null) =>
    timeUntilText(
      {
        status,
        plannedDateTime: at(planned),
        actualStartTime: start === null ? null : at(start),
        actualEndTime: end === null ? null : at(end),
      },
      NOW,
      'UTC',
    );

  it.each([
    ['upcoming', text('Planned', 3 * DAY), '3 days to go'],
    ['today, to come', text('Planned', 3 * HOUR), '3 hours to go'],
    ['today, past', text('Planned', -3 * HOUR), 'Starting soon!'],
    ['in progress', text('InProgress', -5 * HOUR, -2 * HOUR), 'Started 2 hours ago'],
    ['begun within this minute', text('InProgress', -HOUR, 30_000), 'Started just now'],
    ['begun a moment ago', text('InProgress', -HOUR, -1000), 'Started 1 second ago'],
    ['ended just now', text('Completed', -2 * HOUR, -HOUR, 0), 'just now'],
    ['completed', text('Completed', -9 * DAY, -3 * DAY - HOUR, -3 * DAY), '3 days ago'],
    ['overdue', text('Planned', -2 * DAY), 'Was planned for 2 days ago'],
    ['cancelled', text('Cancelled', 2 * DAY), ''],
    ['ended ahead of our clock', text('Completed', -HOUR, -HOUR, 4 * MINUTE), text('Completed', -HOUR, -HOUR, 0)],
  ])('%s', (_, said, expected) => expect(said).toBe(expected));
});

describe('durations', () => {
  const times = { plannedDateTime: at(0), endDateTime: at(150 * MINUTE), actualStartTime: null, actualEndTime: null };

  it('planned, actual, and none', () => {
    expect(plannedDurationText(times)).toBe('2 hours 30 minutes');
    expect(plannedDurationText({ ...times, endDateTime: null })).toBeNull();
    expect(actualDurationText(times)).toBeNull();
    expect(actualDurationText({ actualStartTime: at(0), actualEndTime: at(26 * HOUR) })).toBe('1 day 2 hours');
  });

  it('the card prefers the actual one to the planned one', { tags: ['dates.list.6'] }, () => {
    expect(cardTimeText(times, 'America/New_York')).toBe('7:00 AM (2 hours 30 minutes)');
    expect(cardTimeText({ ...times, actualStartTime: at(0), actualEndTime: at(HOUR) }, 'UTC')).toBe(
      '12:00 PM (1 hour)',
    );
    expect(cardTimeText({ ...times, endDateTime: null }, 'UTC')).toBe('12:00 PM');
  });
});
