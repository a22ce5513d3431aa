import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepPlace } from './step-place.ts';

describe('the slideshow', () => {
  it('wraps around in both directions', { tags: ['memories.slideshow.5'] }, () => {
    expect(stepPlace(0, -1, 5)).toBe(4);
    expect(stepPlace(4, 1, 5)).toBe(0);
    expect(stepPlace(0, 1, 0)).toBe(0);
    fc.assert(
      fc.property(fc.nat(99), fc.integer({ min: -300, max: 300 }), (place, by) => {
        expect(stepPlace(stepPlace(place, by, 100), -by, 100)).toBe(place);
      }),
    );
  });
});
