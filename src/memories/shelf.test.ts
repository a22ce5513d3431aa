import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyAlbum } from './album.ts';
import { drawnBetween, heightOf, indexAt, spotAt, topsOf } from './shelf.ts';

const { sheets } = emptyAlbum([{ month: '2026-11', count: 24 * 10, cursor: '' }], 'date-asc');
const tops = topsOf(sheets.map(() => 1000));

describe('the shelf', () => {
  it('finds the sheet at a height', () => {
    expect([-50, 0, 999, 1000, 9_999_999].map((y) => indexAt(tops, y))).toEqual([0, 0, 0, 1, sheets.length - 1]);
  });

  it('draws what is seen and a little around it', () => {
    expect(drawnBetween(sheets, tops, { from: 2500, to: 3300, ahead: 400 })).toEqual({ first: 2, last: 3 });
    expect(drawnBetween(sheets, tops, { from: 2300, to: 3700, ahead: 400 })).toEqual({ first: 1, last: 4 });
    expect(drawnBetween(sheets, tops, { from: -900, to: -100, ahead: 400 })).toEqual({ first: 0, last: 0 });
  });

  it('never draws more than 150 tiles for what is only near', () => {
    const low = topsOf(sheets.map(() => 100));
    const { first, last } = drawnBetween(sheets, low, { from: 250, to: 420, ahead: 4000 });
    const tiles = sheets.slice(first, last + 1).reduce((sum, { count }) => sum + count, 0);
    expect(first).toBeLessThanOrEqual(2);
    expect(last).toBeGreaterThanOrEqual(4);
    expect(tiles).toBeLessThanOrEqual(150);
  });

  it('finds a spot again, whatever the heights have become', () => {
    const heights = fc.array(fc.integer({ min: 10, max: 3000 }), {
      minLength: sheets.length,
      maxLength: sheets.length,
    });
    fc.assert(
      fc.property(heights, heights, fc.double({ min: 0, max: 1, noNaN: true }), (before, after, part) => {
        const [was, is] = [topsOf(before), topsOf(after)];
        const y = part * (was[sheets.length] as number);
        const spot = spotAt(sheets, was, y);
        expect(spot && heightOf(sheets, was, spot)).toBeCloseTo(y);
        expect(spot && heightOf(sheets, is, spot)).toBeCloseTo((is[indexAt(was, y + 8)] as number) + (spot?.by ?? 0));
      }),
    );
    expect(heightOf(sheets, tops, { key: 'gone', by: 4 })).toBeNull();
    // Scrolled to the third, but for a rounded pixel.
    expect(spotAt(sheets, tops, 1999.4)?.key).toBe(sheets[2]?.key);
  });
});
