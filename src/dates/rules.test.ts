import { describe, expect, it } from 'vitest';
import type { DateAction, DateStatus } from './rules.ts';
import { isAllowed, plannedTimeError, REFUSED } from './rules.ts';

const NOW = Date.parse('2026-11-21T20:00:00Z');

describe('what a status allows', () => {
  const table: readonly [DateStatus, readonly DateAction[]][] = [
    ['Planned', ['start', 'went', 'cancel', 'edit', 'delete', 'addMemories']],
    ['InProgress', ['complete', 'edit', 'delete', 'addMemories']],
    ['Completed', ['undoWent', 'correct', 'delete', 'addMemories']],
    ['Cancelled', ['edit', 'delete']],
  ];
  it.each(table)('%s', (status, allowed) => {
    const all = Object.keys(REFUSED) as DateAction[];
    expect(all.filter((action) => isAllowed(status, action)).toSorted()).toEqual(allowed.toSorted());
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
