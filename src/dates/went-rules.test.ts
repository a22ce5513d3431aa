import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../base/durations.ts';
import { type GivenTimes, tooEarlyError, undoRefusal, wentErrors, wentTimes } from './went-rules.ts';

const NOW = Date.parse('2026-11-21T20:00:00Z');
const NOTHING = { actualStartTime: null, actualEndTime: null };
const planned = (
  plannedDateTime: number,
  endDateTime: number | null = null,
  status: 'Planned' | 'InProgress' = 'Planned',
) => ({ status, plannedDateTime, endDateTime }) as const;

describe('the times of ‘We went!’', { tags: ['dates.went.1'] }, () => {
  it.each([
    ['are the planned ones', planned(NOW - 5 * HOUR, NOW - 2 * HOUR), NOTHING, -5 * HOUR, -2 * HOUR],
    ['last two hours without a planned end', planned(NOW - 5 * HOUR), NOTHING, -5 * HOUR, -3 * HOUR],
    ['end now at the latest, without a planned end', planned(NOW - HOUR), NOTHING, -HOUR, 0],
    ['end now at the latest, with a planned end', planned(NOW - HOUR, NOW + HOUR), NOTHING, -HOUR, 0],
    [
      'last two hours from a given start',
      planned(NOW - 5 * HOUR),
      { ...NOTHING, actualStartTime: NOW - 4 * HOUR },
      -4 * HOUR,
      -2 * HOUR,
    ],
    [
      'are the given ones',
      planned(NOW - 5 * HOUR, NOW - 2 * HOUR),
      { actualStartTime: NOW - 9 * HOUR, actualEndTime: NOW + MINUTE },
      -9 * HOUR,
      MINUTE,
    ],
  ])('%s', (_, date, given, start, end) => {
    expect(wentTimes(date, given, NOW)).toEqual({ start: NOW + start, end: NOW + end });
  });

  it('are refused by the rules of complete', () => {
    const errors = (given: Partial<GivenTimes>) =>
      Object.values(wentErrors(planned(NOW - HOUR), { ...NOTHING, ...given }, NOW));
    expect(errors({})).toEqual([undefined, undefined]);
    expect(errors({ actualEndTime: NOW - HOUR })).toEqual([undefined, 'End time must be after start time']);
    expect(errors({ actualStartTime: NOW + 1 })).toEqual([undefined, 'End time must be after start time']);
    expect(errors({ actualEndTime: NOW + 5 * MINUTE + 1 })).toEqual([undefined, 'End time cannot be in the future']);
    expect(errors({ actualStartTime: 0 })).toEqual(['Start time cannot be before the year 2000', undefined]);
  });

  it('of a date that is no longer planned are only refused if they are given', () => {
    const date = planned(NOW + HOUR, null, 'InProgress');
    expect(Object.values(wentErrors(date, NOTHING, NOW))).toEqual([undefined, undefined]);
    const late = { ...NOTHING, actualEndTime: NOW + HOUR };
    expect(wentErrors(date, late, NOW).actualEndTime).toBe('End time cannot be in the future');
  });
});

it('a planned date is too early until its time has passed', () => {
  expect(tooEarlyError(planned(NOW), NOW)).toBe('This date is still to come.');
  expect(tooEarlyError(planned(NOW - 1), NOW)).toBeUndefined();
  expect(tooEarlyError(planned(NOW + 1, null, 'InProgress'), NOW)).toBeUndefined();
});

it('‘We went!’ is undone within a minute, by the same user, and only if nothing changed since', {
  tags: ['dates.went.3'],
}, () => {
  const went = { wentBy: 'ada', wentVersion: 2, version: 2, updatedAt: NOW };
  expect(undoRefusal(went, 'ada', NOW + MINUTE)).toBeUndefined();
  expect(undoRefusal(went, 'ada', NOW + MINUTE + 1)).toMatch('within a minute');
  expect(undoRefusal(went, 'ben', NOW)).toMatch('Only the one of you');
  expect(undoRefusal({ ...went, version: 3 }, 'ada', NOW)).toMatch('has changed since');
  expect(undoRefusal({ ...went, wentBy: null, wentVersion: null }, 'ada', NOW)).toMatch('was not completed with it');
});
