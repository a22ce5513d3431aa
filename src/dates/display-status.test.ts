import { describe, expect, it } from 'vitest';
import { BADGE_TEXTS, DISPLAY_STATUSES, displayStatus } from './display-status.ts';
import type { DateStatus } from './rules.ts';

const NOW = Date.parse('2026-11-21T20:00:00Z');
const date = (status: DateStatus, plannedDateTime: string) => ({ status, plannedDateTime, surprise: null });

describe('display status', { tags: ['dates.list.7'] }, () => {
  it.each([
    ['in progress, whenever it was planned', 'InProgress', '2026-12-24T20:00:00Z', 'UTC', 'in-progress'],
    ['completed', 'Completed', '2026-11-21T20:00:00Z', 'UTC', 'completed'],
    ['cancelled', 'Cancelled', '2026-11-21T20:00:00Z', 'UTC', 'cancelled'],
    ['later today', 'Planned', '2026-11-21T23:59:59Z', 'UTC', 'today'],
    ['earlier today is today still', 'Planned', '2026-11-21T00:00:00Z', 'UTC', 'today'],
    ['tomorrow', 'Planned', '2026-11-22T00:00:00Z', 'UTC', 'upcoming'],
    ['yesterday', 'Planned', '2026-11-20T23:59:59Z', 'UTC', 'overdue'],
    ['tomorrow in Kiritimati, where it is tomorrow', 'Planned', '2026-11-22T05:00:00Z', 'Pacific/Kiritimati', 'today'],
    ['last night in Honolulu', 'Planned', '2026-11-21T08:00:00Z', 'Pacific/Honolulu', 'overdue'],
  ] as const)('%s', (_, status, planned, zone, display) =>
    expect(displayStatus(date(status, planned), NOW, zone)).toBe(display),
  );

  it('has the badges', { tags: ['dates.list.7'] }, () => {
    expect(DISPLAY_STATUSES.map((display) => BADGE_TEXTS[display])).toEqual([
      'In Progress',
      'Today!',
      'Overdue',
      'Upcoming',
      'Completed',
      'Cancelled',
    ]);
  });
});
