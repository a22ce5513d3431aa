import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../contract.ts';
import { estimateHeight, layOutRows, type RowSpace, shownRatio } from './lay-out-rows.ts';

const space: RowSpace = { width: 900, height: 176, gap: 12, mat: 7, single: false };

function some(count: number, ratios: readonly number[] = [1.5, 0.75, 1.33, 0.66]): Memory[] {
  return Array.from({ length: count }, (_, n) => ({
    id: String(n),
    width: Math.round((ratios[n % ratios.length] ?? 1) * 1000),
    height: 1000,
  })) as unknown as Memory[];
}
const idsOf = (rows: ReturnType<typeof layOutRows>) => rows.map(({ memories }) => memories.map(({ id }) => id));

describe('the rows of the gallery', () => {
  it('fill the width, with each photo in its own proportions', { tags: ['memories.gallery.17'] }, () => {
    for (const { width } of layOutRows(some(24), space, false)) expect(width).toBeCloseTo(900);
  });

  it('do not stretch the last row of a month', { tags: ['memories.gallery.17'] }, () => {
    const [row] = layOutRows(some(1), space, true);
    expect(row?.width).toBeCloseTo(1.5 * 176 + 14);
    expect(layOutRows(some(1), space, false)[0]?.width).toBeCloseTo(900);
  });

  it('hold one memory each in the list view', () => {
    expect(idsOf(layOutRows(some(5), { ...space, single: true }, true))).toEqual([['0'], ['1'], ['2'], ['3'], ['4']]);
  });

  it('keep every photo, whatever its proportions', () => {
    const ratios = fc.array(fc.double({ min: 0.1, max: 8, noNaN: true }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), ratios, fc.constantFrom(312, 640, 900), (count, ratios, width) => {
        const rows = layOutRows(some(count, ratios), { ...space, width }, true);
        expect(idsOf(rows).flat()).toEqual(some(count).map(({ id }) => id));
        for (const row of rows) expect(row.width).toBeLessThanOrEqual(width + 0.01);
      }),
    );
  });

  it('make no print extremely wide', () => {
    expect([shownRatio({ width: 100, height: 5000 }), shownRatio({ width: 12000, height: 1000 })]).toEqual([0.5, 4]);
  });

  it('have about the estimated height', () => {
    for (const [width, height] of [
      [312, 132],
      [640, 176],
      [900, 176],
    ] as const) {
      const here = { ...space, width, height };
      const rows = layOutRows(some(24), here, false).length;
      const estimated = estimateHeight(24, here) / (height + 14 + 74);
      expect(Math.abs(estimated - rows)).toBeLessThanOrEqual(2);
    }
  });
});
