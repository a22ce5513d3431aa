import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, liftOver } from './lift.ts';

const box = (left: number, top: number, size = 56): Box => ({ left, top, right: left + size, bottom: top + size });
const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe('a box that moves up', { tags: ['ideas.list.8'] }, () => {
  const float = box(284, 700);

  it('stays where it is if nothing overlaps it', () => {
    expect(liftOver(float, [], 400)).toBe(0);
    expect(liftOver(float, [box(20, 700), box(284, 100)], 400)).toBe(0);
  });

  it('moves above the box it overlaps, and above the next one if there is no room between them', () => {
    expect(liftOver(float, [box(300, 720, 44)], 400)).toBe(36);
    expect(liftOver(float, [box(300, 720, 44), box(300, 660, 44)], 400)).toBe(96);
    expect(liftOver(float, [box(300, 620, 44), box(300, 720, 44)], 400)).toBe(36);
  });

  it('returns null if there is no room', () => {
    expect(liftOver(float, [{ left: 0, right: 360, top: 0, bottom: 780 }], 400)).toBeNull();
  });

  it('overlaps no box after the move', () => {
    const coordinate = fc.integer({ min: 0, max: 700 });
    const any = fc.tuple(coordinate, coordinate, fc.integer({ min: 1, max: 80 })).map((one) => box(...one));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (others) => {
        const lift = liftOver(float, others, Number.POSITIVE_INFINITY) ?? 0;
        const moved = { ...float, top: float.top - lift, bottom: float.bottom - lift };
        expect(others.some((other) => overlap(moved, other))).toBe(false);
      }),
    );
  });
});
