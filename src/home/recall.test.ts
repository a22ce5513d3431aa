import { describe, expect, it } from 'vitest';
import type { PlannedDate } from '../dates/contract.ts';
import { recallOf } from './recall.ts';

/** Saturday; its week is Monday the 16th to Sunday the 22nd. */
const NOW = Date.parse('2026-11-21T12:00:00Z');

function dateOn(start: string, memoryCount = 0): PlannedDate {
  return {
    id: start,
    status: 'Completed',
    plannedDateTime: start,
    endDateTime: null,
    location: null,
    notes: null,
    actualStartTime: start,
    actualEndTime: start,
    actualDuration: '0m',
    memoryCount,
    createdAt: start,
    updatedAt: start,
    dateIdea: {
      id: 'i',
      title: 'Stars',
      description: null,
      category: 'Outdoor',
      plannedDatesCount: 1,
      lastPlannedDate: start,
    },
  };
}

const recalled = (starts: readonly string[], now = NOW, zone = 'UTC') => {
  const found = recallOf(
    starts.map((start) => dateOn(start)),
    now,
    zone,
  );
  return found && `${found.title}: ${found.date.id}`;
};

describe('a year ago (issue 5)', () => {
  it('recalls the same day of an earlier year, the latest first', () => {
    expect(recalled(['2023-11-21T20:00:00Z', '2025-11-21T20:00:00Z'])).toBe('A year ago today: 2025-11-21T20:00:00Z');
    expect(recalled(['2023-11-21T20:00:00Z'])).toBe('Three years ago today: 2023-11-21T20:00:00Z');
  });
  it('prefers today to a day of this week, and the nearer day to the farther', () => {
    expect(recalled(['2025-11-20T20:00:00Z', '2022-11-21T20:00:00Z'])).toBe(
      'Four years ago today: 2022-11-21T20:00:00Z',
    );
    expect(recalled(['2025-11-16T20:00:00Z', '2024-11-22T20:00:00Z'])).toBe(
      'Two years ago this week: 2024-11-22T20:00:00Z',
    );
  });
  it('of the same day the one with more memories', () => {
    const found = recallOf([dateOn('2025-11-21T10:00:00Z', 1), dateOn('2025-11-21T20:00:00Z', 5)], NOW, 'UTC');
    expect(found?.date.memoryCount).toBe(5);
  });
  it('knows nothing outside the week, nor of this year', () => {
    expect(
      recalled(['2025-11-15T20:00:00Z', '2025-11-23T20:00:00Z', '2026-11-21T08:00:00Z', '2026-11-18T08:00:00Z']),
    ).toBeNull();
    expect(recalled([])).toBeNull();
  });
  it("goes by the day in the device's zone on which it really started", () => {
    expect(recalled(['2025-11-21T23:30:00Z'], NOW, 'Europe/Rome')).toBe('A year ago this week: 2025-11-21T23:30:00Z');
    expect(recalled(['2025-11-20T23:30:00Z'], NOW, 'Europe/Rome')).toBe('A year ago today: 2025-11-20T23:30:00Z');
  });
  it('reaches over the turn of the year within one week', () => {
    // Friday, 1 January 2027: the week began on Monday, 28 December 2026.
    const newYear = Date.parse('2027-01-01T12:00:00Z');
    expect(recalled(['2025-12-31T20:00:00Z'], newYear)).toBe('A year ago this week: 2025-12-31T20:00:00Z');
    expect(recalled(['2026-01-02T20:00:00Z'], newYear)).toBe('A year ago this week: 2026-01-02T20:00:00Z');
    expect(recalled(['2026-12-31T20:00:00Z'], newYear)).toBeNull();
  });
  it('remembers the 29th of February on the 28th', () => {
    expect(recalled(['2024-02-29T20:00:00Z'], Date.parse('2027-02-28T12:00:00Z'))).toBe(
      'Three years ago today: 2024-02-29T20:00:00Z',
    );
  });
});
