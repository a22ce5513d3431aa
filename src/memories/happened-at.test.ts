import { expect, it } from 'vitest';
import { DAY, HOUR } from '../base/durations.ts';
import { happenedAt, takenAtOf } from './happened-at.ts';

const start = Date.parse('2019-06-01T17:00:00Z');
const date = { actualStartTime: start, actualEndTime: start + 3 * HOUR };
const endedADayBefore = date.actualEndTime + DAY;

it('is when it was taken, whenever it was uploaded', { tags: ['memories.happened.1'] }, () => {
  const takenAt = start + HOUR;
  expect(happenedAt({ takenAt, correctedTakenAt: null, uploadedAt: endedADayBefore + DAY }, date)).toBe(takenAt);
});

it('is the start of its date, if that ended more than a day before the upload', {
  tags: ['memories.happened.1'],
}, () => {
  expect(happenedAt({ takenAt: null, correctedTakenAt: null, uploadedAt: endedADayBefore + 1 }, date)).toBe(start);
});

it('is the upload for a date of today, and for one that has not happened', { tags: ['memories.happened.1'] }, () => {
  expect(happenedAt({ takenAt: null, correctedTakenAt: null, uploadedAt: endedADayBefore }, date)).toBe(
    endedADayBefore,
  );
  const running = { actualStartTime: start, actualEndTime: null };
  expect(happenedAt({ takenAt: null, correctedTakenAt: null, uploadedAt: endedADayBefore + 1 }, running)).toBe(
    endedADayBefore + 1,
  );
});

it('counts a capture time after the year 9999 as none', () => {
  expect(takenAtOf({ takenAt: Date.UTC(10_000, 0, 1) - 1, correctedTakenAt: null })).toBe(Date.UTC(10_000, 0, 1) - 1);
  expect(takenAtOf({ takenAt: Date.UTC(10_000, 0, 1), correctedTakenAt: null })).toBeNull();
});

it('goes by the corrected capture time before that of the file', { tags: ['memories.edit.1'] }, () => {
  const memory = { takenAt: start, correctedTakenAt: start + HOUR, uploadedAt: endedADayBefore + DAY };
  expect([takenAtOf(memory), happenedAt(memory, date)]).toEqual([start + HOUR, start + HOUR]);
});
