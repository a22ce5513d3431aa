import { expect, it } from 'vitest';
import { togetherSinceFault } from './together-since.ts';

it.each([
  ['0001-01-01', 'Together since cannot be before the year 1900'],
  ['1899-12-31', 'Together since cannot be before the year 1900'],
  ['1900-01-01', undefined],
  ['2026-11-26', undefined],
  // At this moment it is November 27 in UTC+14, and the 28th is its tomorrow.
  ['2026-11-28', undefined],
  ['2026-11-29', 'Together since cannot be in the future'],
  ['2031-01-01', 'Together since cannot be in the future'],
])('together since %s: %s', { tags: ['accounts.settings.2'] }, (day, fault) => {
  expect(togetherSinceFault(day, Date.parse('2026-11-26T12:00:00Z'))).toBe(fault);
});
