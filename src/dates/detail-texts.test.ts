import { expect, test } from 'vitest';
import {
  deleteDetail,
  lastPlannedDateText,
  memoryCountText,
  plannedTimesText,
  timeWithDateIfDifferent,
} from './detail-texts.ts';

const idea = {
  id: '1',
  title: 'Fort',
  description: null,
  category: 'Indoor',
  plannedDatesCount: 1,
  lastPlannedDate: null,
} as const;

test('how often an idea was planned, and when last', { tags: ['dates.details.2'] }, () => {
  expect(plannedTimesText(0)).toBe('planned 0 times');
  expect(plannedTimesText(1)).toBe('planned 1 time');
  expect(plannedTimesText(3)).toBe('planned 3 times');
  expect(lastPlannedDateText(null, 'UTC')).toBeNull();
  expect(lastPlannedDateText('2026-10-17T23:30:00.000Z', 'UTC')).toBe('Last planned Oct 17, 2026');
  expect(lastPlannedDateText('2026-10-17T23:30:00.000Z', 'Pacific/Auckland')).toBe('Last planned Oct 18, 2026');
});

test("a time includes its day only if it differs, in the device's zone", () => {
  const planned = '2026-10-17T20:00:00.000Z';
  expect(timeWithDateIfDifferent('2026-10-17T23:00:00.000Z', planned, 'UTC')).toBe('11:00 PM');
  expect(timeWithDateIfDifferent('2026-10-18T00:30:00.000Z', planned, 'UTC')).toBe(
    'Sunday, October 18, 2026, 12:30 AM',
  );
  expect(timeWithDateIfDifferent('2026-10-18T00:30:00.000Z', planned, 'America/New_York')).toBe('8:30 PM');
});

test('memories are counted once a date has begun, or if there are any', { tags: ['dates.list.6'] }, () => {
  expect(memoryCountText({ status: 'Planned', memoryCount: 0 })).toBeNull();
  expect(memoryCountText({ status: 'Planned', memoryCount: 1 })).toBe('1 memory');
  expect(memoryCountText({ status: 'InProgress', memoryCount: 0 })).toBe('0 memories');
  expect(memoryCountText({ status: 'Completed', memoryCount: 14 })).toBe('14 memories');
  expect(memoryCountText({ status: 'Cancelled', memoryCount: 0 })).toBeNull();
});

test('the delete question says how many memories will be deleted, and that they can be restored', () => {
  expect(deleteDetail({ memoryCount: 14, dateIdea: idea })).toBe(
    'Its 14 memories will be deleted too. You can put ‘Fort’ back from Recently deleted for 30 days.',
  );
  expect(deleteDetail({ memoryCount: 1, dateIdea: idea })).toContain('Its 1 memory will be deleted too.');
  expect(deleteDetail({ memoryCount: 0, dateIdea: idea })).toContain('30 days');
});
