import { describe, expect, it } from 'vitest';
import { readShare, shareText } from './share-text.ts';

describe('a share', () => {
  it.each([
    ['2', '5', { stored: 2, of: 5 }],
    ['0', '3', { stored: 0, of: 3 }],
    [null, null, null],
    ['2', null, null],
    ['6', '5', null],
    ['-1', '5', null],
    ['1e3', '99999', null],
    ['<b>', '5', null],
  ])('is read from the address: %s of %s', { tags: ['screens.offline.13'] }, (stored, of, share) => {
    expect(readShare(stored, of)).toEqual(share);
  });

  it.each([
    [0, null, 'The shared photographs did not arrive. Please choose them here.'],
    [0, { stored: 2, of: 2 }, 'The shared photographs did not arrive. Please choose them here.'],
    [2, { stored: 2, of: 3 }, 'Only 2 of 3 shared photographs arrived. Please choose the other one here.'],
    [1, { stored: 3, of: 3 }, 'Only 1 of 3 shared photographs arrived. Please choose the others here.'],
    // One of an earlier share is still here.
    [4, { stored: 3, of: 5 }, 'Only 3 of 5 shared photographs arrived. Please choose the others here.'],
    [3, { stored: 3, of: 3 }, null],
    [3, null, null],
  ])(
    'of which %i are here, and %j were stored, is described in words',
    { tags: ['screens.offline.13'] },
    (arrived, share, text) => {
      expect(shareText(arrived, share)).toBe(text);
    },
  );
});
