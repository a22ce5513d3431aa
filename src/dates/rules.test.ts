import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../base/time.ts';
import { actionsOf, deleteQuestion } from './actions.ts';
import { BADGE_TEXTS, DISPLAY_STATUSES, displayStatus } from './display-status.ts';
import type { DateAction, DateStatus } from './rules.ts';
import { isAllowed, plannedTimeError, STATUSES } from './rules.ts';

const NOW = Date.parse('2026-11-21T20:00:00Z');
const date = (status: DateStatus, plannedDateTime: string) => ({ status, plannedDateTime, surprise: null });

describe('what a status allows', () => {
  const table: readonly [DateStatus, readonly DateAction[]][] = [
    ['Planned', ['start', 'went', 'cancel', 'edit', 'delete', 'addMemories']],
    ['InProgress', ['complete', 'edit', 'delete', 'addMemories']],
    ['Completed', ['undoWent', 'delete', 'addMemories']],
    ['Cancelled', ['edit', 'delete']],
  ];
  it.each(table)('%s', (status, allowed) => {
    const all: DateAction[] = ['start', 'went', 'undoWent', 'complete', 'cancel', 'edit', 'delete', 'addMemories'];
    expect(all.filter((action) => isAllowed(status, action)).toSorted()).toEqual(allowed.toSorted());
  });
});

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

describe('actions by display status', { tags: ['dates.list.9', 'dates.details.6', 'dates.went.6'] }, () => {
  const cases = [
    ['upcoming', date('Planned', '2026-11-25T20:00:00Z'), 'start edit cancel delete', 'start edit cancel delete'],
    ['today', date('Planned', '2026-11-21T23:00:00Z'), 'start edit delete', 'start edit cancel delete'],
    ['overdue', date('Planned', '2026-11-01T20:00:00Z'), 'went start delete', 'went start cancel delete'],
    ['in-progress', date('InProgress', '2026-11-21T19:00:00Z'), 'complete delete', 'complete addMemories delete'],
    ['completed', date('Completed', '2026-11-01T20:00:00Z'), 'addMemories delete', 'addMemories delete'],
    ['cancelled', date('Cancelled', '2026-11-25T20:00:00Z'), 'delete', 'delete'],
  ] as const;
  it.each(cases)('%s', (display, given, list, details) => {
    expect(displayStatus(given, NOW, 'UTC')).toBe(display);
    expect(actionsOf(given, 'list', NOW, 'UTC').join(' ')).toBe(list);
    expect(actionsOf(given, 'details', NOW, 'UTC').join(' ')).toBe(details);
  });

  it('never offers what the server would refuse', { tags: ['dates.list.9'] }, () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STATUSES.map(({ value }) => value)),
        fc.integer({ min: -400, max: 400 }),
        fc.constantFrom('list', 'details'),
        (status, days, place) => {
          const planned = new Date(NOW + days * DAY).toISOString();
          for (const action of actionsOf(date(status, planned), place, NOW, 'UTC')) {
            expect(isAllowed(status, action)).toBe(true);
          }
        },
      ),
    );
  });

  it('adds a sentence to the delete question on the details page', { tags: ['dates.details.6'] }, () => {
    expect(deleteQuestion('list')).toBe('Are you sure you want to permanently delete this planned date?');
    expect(deleteQuestion('details')).toBe(
      'Are you sure you want to permanently delete this planned date? This action cannot be undone.',
    );
  });
});

describe('when a date may be planned', { tags: ['dates.wire.1'] }, () => {
  it.each([
    ['1999-12-31T23:59:59.999Z', 'Date and time cannot be before the year 2000'],
    ['2000-01-01T00:00:00.000Z', undefined],
    ['2028-11-22T20:00:00.000Z', undefined],
    ['2028-11-22T20:00:00.001Z', 'Date and time cannot be more than two years ahead'],
  ])('%s', (planned, fault) => expect(plannedTimeError(Date.parse(planned), NOW)).toBe(fault));
});
