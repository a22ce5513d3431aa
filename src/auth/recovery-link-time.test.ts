import { expect, it } from 'vitest';
import { MINUTE } from '../base/durations.ts';
import { isRecoveryLinkUsable, recoveryLinkTime } from './recovery-link-time.ts';

const minute = Date.parse('2026-11-27T14:30:00Z');

it('says when a link works by the clock of the zone', () =>
  expect(recoveryLinkTime(minute, 'Europe/Rome')).toBe('Friday, November 27, 2026 at 3:30 PM'));

it.each([
  ['an hour ago', -60 * MINUTE, true],
  ['within the present minute, as one that was just agreed to', 20_000, true],
  ['from the next minute', MINUTE, false],
])('a link works or not: %s', (_, from, works) => expect(isRecoveryLinkUsable(minute + from, minute)).toBe(works));
