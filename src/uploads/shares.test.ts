import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../base/durations.ts';
import { isSharedWith, isShareOver } from './shares.ts';

describe('a shared photo', () => {
  it.each([
    ['the last user of the device, in any way', 'ada', { userId: 'ada', share: null }, true],
    ['nobody else, also where it led', 'ada', { userId: 'ben', share: 's1' }, false],
    ['the user who signs in where it led, if nobody was known', null, { userId: 'ben', share: 's1' }, true],
    ['nobody who comes in another way', null, { userId: 'ben', share: null }, false],
    ['nobody whom another share led here', null, { userId: 'ben', share: 's2' }, false],
  ])('is for %s', { tags: ['screens.offline.14'] }, (_, owner, visit, answer) => {
    expect(isSharedWith({ at: 0, owner, share: 's1' }, visit)).toBe(answer);
  });

  it.each([
    ['a day for a known user', 'ada', DAY],
    ['an hour for an unknown one', null, HOUR],
  ])('waits %s', { tags: ['screens.offline.14'] }, (_, owner, wait) => {
    expect(isShareOver({ at: 5, owner, share: 's1' }, 4 + wait)).toBe(false);
    expect(isShareOver({ at: 5, owner, share: 's1' }, 5 + wait)).toBe(true);
  });

  it('does not wait if its time is unknown', () => {
    expect(isShareOver({ at: Number.NaN, owner: 'ada', share: 's1' }, 0)).toBe(true);
  });
});
