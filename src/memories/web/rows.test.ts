import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../contract.ts';
import type { MemoryPage } from './queries.ts';
import { layOut, type RowSpace, shownRatio } from './rows.ts';

const space: RowSpace = { width: 900, height: 176, gap: 12, mat: 7, single: false, zone: 'Europe/Rome' };

function page(
  ids: readonly string[],
  day = '2026-11-20',
  ratios: readonly number[] = [1.5, 0.75, 1.33, 0.66],
): MemoryPage {
  const memories = ids.map((id, n) => ({
    id,
    uploadedAt: `${day}T10:00:00.000Z`,
    width: Math.round((ratios[n % ratios.length] ?? 1) * 1000),
    height: 1000,
  })) as unknown as Memory[];
  return { memories, total: ids.length, next: null };
}
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => String(from + n));
const idsOf = (rows: ReturnType<typeof layOut>) => rows.map(({ memories }) => memories.map(({ id }) => id));

describe('the rows of the gallery', () => {
  it('fill the width, each photograph in its own proportions', () => {
    const rows = layOut([page(numbers(0, 30))], space, false);
    for (const { width } of rows.slice(0, -1)) expect(width).toBeCloseTo(900);
    expect(idsOf(rows).flat()).toEqual(numbers(0, 30));
  });

  it('do not stretch what ends a month', () => {
    const [row] = layOut([page(['a'])], space, false);
    expect(row?.width).toBeCloseTo(1.5 * 176 + 14);
  });

  it('begin each month with its name, and count it when it is whole', () => {
    const pages = [page(numbers(0, 9), '2026-11-20'), page(numbers(9, 12), '2026-10-17')];
    const months = layOut(pages, space, false).flatMap(({ month }) => month ?? []);
    expect(months).toEqual([
      { name: 'November 2026', count: 9 },
      { name: 'October 2026', count: 3 },
    ]);
    const begun = layOut(pages, space, true).flatMap(({ month }) => month ?? []);
    expect(begun[0]).toEqual({ name: 'November 2026', count: 9 });
    expect(begun.slice(1).every(({ count }) => count === null)).toBe(true);
  });

  it('have no months where the list is not ordered by date', () => {
    const rows = layOut([page(numbers(0, 9)), page(numbers(9, 12), '2025-01-01')], { ...space, zone: null }, false);
    expect(rows.every(({ month }) => month === null)).toBe(true);
  });

  it('are one memory each in the list', () => {
    const rows = layOut([page(numbers(0, 5)), page(numbers(5, 7))], { ...space, single: true }, true);
    expect(idsOf(rows)).toEqual(numbers(0, 7).map((id) => [id]));
  });

  it('stay where they are when another page comes, and lose nothing', () => {
    const anyPages = fc.array(
      fc.record({
        count: fc.integer({ min: 1, max: 40 }),
        month: fc.constantFrom('2026-11-20', '2026-10-17', '2026-09-01'),
        ratios: fc.array(fc.double({ min: 0.1, max: 8, noNaN: true }), { minLength: 1, maxLength: 5 }),
      }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(anyPages, fc.constantFrom(312, 640, 900), (parts, width) => {
        const here = { ...space, width };
        let from = 0;
        const pages = parts.map(({ count, month, ratios }) => {
          from += count;
          return page(numbers(from - count, from), month, ratios);
        });
        let before: string[][] = [];
        for (let shown = 1; shown <= pages.length; shown += 1) {
          const rows = idsOf(layOut(pages.slice(0, shown), here, true));
          expect(rows.slice(0, before.length)).toEqual(before);
          before = rows;
        }
        expect(idsOf(layOut(pages, here, false)).flat()).toEqual(numbers(0, from));
      }),
    );
  });

  it('make no print a ribbon', () => {
    expect([shownRatio({ width: 100, height: 5000 }), shownRatio({ width: 12000, height: 1000 })]).toEqual([0.5, 4]);
  });
});
