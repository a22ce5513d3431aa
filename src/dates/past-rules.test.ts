import { expect, it } from 'vitest';
import { HOUR, MINUTE } from '../base/durations.ts';
import { EARLIEST_PAST, pastTimeErrors, plannedAfterCorrection } from './past-rules.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');

it('a past date starts from 1900 to now, and ends after that and at most five minutes ahead', {
  tags: ['dates.past.2'],
}, () => {
  const errorsOf = (actualStartTime: number, actualEndTime: number) =>
    Object.values(pastTimeErrors({ actualStartTime, actualEndTime }, NOW));
  expect(errorsOf(EARLIEST_PAST, EARLIEST_PAST + 1)).toEqual([undefined, undefined]);
  expect(errorsOf(NOW, NOW + 5 * MINUTE)).toEqual([undefined, undefined]);
  expect(errorsOf(EARLIEST_PAST - 1, NOW)[0]).toBe('Start time cannot be before the year 1900');
  expect(errorsOf(NOW + 1, NOW + 2)[0]).toBe('This is still to come');
  expect(errorsOf(NOW, NOW + 5 * MINUTE + 1)[1]).toBe('This is still to come');
  expect(errorsOf(NOW, NOW)[1]).toBe('End time must be after start time');
});

it('the plan moves with the start if it was the same instant, and stays otherwise', {
  tags: ['dates.record.2'],
}, () => {
  const plan = { plannedDateTime: NOW, endDateTime: NOW + HOUR };
  const moved = { plannedDateTime: NOW - HOUR, endDateTime: NOW };
  expect(plannedAfterCorrection({ ...plan, actualStartTime: NOW }, NOW - HOUR)).toEqual(moved);
  expect(plannedAfterCorrection({ ...plan, endDateTime: null, actualStartTime: NOW }, NOW - HOUR)).toEqual({
    ...moved,
    endDateTime: null,
  });
  expect(plannedAfterCorrection({ ...plan, actualStartTime: NOW + 1 }, NOW - HOUR)).toEqual(plan);
});
