import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyAlbum } from './paged-album.ts';
import {
  anchorAt,
  anchorOffset,
  sheetAtOffset,
  sheetOffsets,
  sheetsToRender,
  sheetsToRenderNow,
} from './sheet-layout.ts';

const { sheets } = emptyAlbum([{ month: '2026-11', count: 24 * 10, cursor: '' }], 'date-asc');
const offsets = sheetOffsets(sheets.map(() => 1000));

describe('the gallery layout', () => {
  it('finds the sheet at an offset', () => {
    expect([-50, 0, 999, 1000, 9_999_999].map((y) => sheetAtOffset(offsets, y))).toEqual([
      0,
      0,
      0,
      1,
      sheets.length - 1,
    ]);
  });

  it('renders the visible sheets and a margin around them', () => {
    expect(sheetsToRender(sheets, offsets, { from: 2500, to: 3300, ahead: 400 })).toEqual({ first: 2, last: 3 });
    expect(sheetsToRender(sheets, offsets, { from: 2300, to: 3700, ahead: 400 })).toEqual({ first: 1, last: 4 });
    expect(sheetsToRender(sheets, offsets, { from: -900, to: -100, ahead: 400 })).toEqual({ first: 0, last: 0 });
  });

  it('renders at most 150 tiles for the margin', { tags: ['memories.gallery.13'] }, () => {
    const low = sheetOffsets(sheets.map(() => 100));
    const { first, last } = sheetsToRender(sheets, low, { from: 250, to: 420, ahead: 4000 });
    const tiles = sheets.slice(first, last + 1).reduce((sum, { count }) => sum + count, 0);
    expect(first).toBeLessThanOrEqual(2);
    expect(last).toBeGreaterThanOrEqual(4);
    expect(tiles).toBeLessThanOrEqual(150);
  });

  it('renders at once what is visible, and keeps what is near it and in the document already', () => {
    const [visible, wanted] = [
      { first: 20, last: 21 },
      { first: 19, last: 22 },
    ];
    expect(sheetsToRenderNow(visible, wanted, { first: 3, last: 6 })).toEqual(visible);
    expect(sheetsToRenderNow(visible, wanted, { first: 40, last: 43 })).toEqual(visible);
    expect(sheetsToRenderNow(visible, wanted, { first: 18, last: 20 })).toEqual({ first: 19, last: 21 });
    expect(sheetsToRenderNow(visible, wanted, { first: 21, last: 24 })).toEqual({ first: 20, last: 22 });
    expect(sheetsToRenderNow(visible, wanted, wanted)).toEqual(wanted);
  });

  it('finds a scroll anchor again after the heights have changed', () => {
    const heights = fc.array(fc.integer({ min: 10, max: 3000 }), {
      minLength: sheets.length,
      maxLength: sheets.length,
    });
    fc.assert(
      fc.property(heights, heights, fc.double({ min: 0, max: 1, noNaN: true }), (before, after, part) => {
        const [was, is] = [sheetOffsets(before), sheetOffsets(after)];
        const y = part * (was[sheets.length] as number);
        const spot = anchorAt(sheets, was, y);
        expect(spot && anchorOffset(sheets, was, spot)).toBeCloseTo(y);
        expect(spot && anchorOffset(sheets, is, spot)).toBeCloseTo(
          (is[sheetAtOffset(was, y + 8)] as number) + (spot?.by ?? 0),
        );
      }),
    );
    expect(anchorOffset(sheets, offsets, { key: 'gone', by: 4 })).toBeNull();
    // Scrolled to the third, give or take a rounded pixel.
    expect(anchorAt(sheets, offsets, 1999.4)?.key).toBe(sheets[2]?.key);
  });
});
