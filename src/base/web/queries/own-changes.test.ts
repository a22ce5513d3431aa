import { beforeEach, expect, it, vi } from 'vitest';
import type { Change } from '../../change.ts';
import type { UserId } from '../../ids.ts';
import type * as ownChanges from './own-changes.ts';

const ME = 'me' as UserId;
const change = (id: string, by = ME): Change => ({ entity: 'dateIdea', id, action: 'updated', by });
let own: typeof ownChanges;

beforeEach(async () => {
  vi.resetModules();
  own = await import('./own-changes.ts');
});

it('knows an own change of which the stream tells after the answer, once', () => {
  own.beginOwnChange('dateIdea')('1');
  expect(own.isOwnChange(change('1'), ME)).toBe(true);
  expect(own.isOwnChange(change('1'), ME)).toBe(false);
});

it('knows an own change of which the stream tells before the answer', () => {
  const end = own.beginOwnChange('dateIdea');
  expect(own.isOwnChange(change('1'), ME)).toBe(true);
  expect(end('1')).toBe(true);
  expect(own.isOwnChange(change('1'), ME)).toBe(false);
});

it('fetches after a failure what another device of the user has changed meanwhile', () => {
  const end = own.beginOwnChange('dateIdea');
  expect(own.isOwnChange(change('2'), ME)).toBe(true);
  expect(end(null)).toBe(true);
  expect(own.beginOwnChange('dateIdea')(null)).toBe(false);
});

it("takes no change for its own that is the partner's, or of something else", () => {
  own.beginOwnChange('dateIdea')('1');
  expect(own.isOwnChange(change('1', 'partner' as UserId), ME)).toBe(false);
  expect(own.isOwnChange(change('2'), ME)).toBe(false);
  expect(own.isOwnChange({ ...change('1'), entity: 'plannedDate' }, ME)).toBe(false);
});

it('does not expect its change for long', () => {
  vi.useFakeTimers();
  own.beginOwnChange('dateIdea')('1');
  vi.advanceTimersByTime(5001);
  expect(own.isOwnChange(change('1'), ME)).toBe(false);
  vi.useRealTimers();
});
