import { describe, expect, it } from 'vitest';
import type { Memory } from '../memories/contract.ts';
import type { Year } from './contract.ts';
import { photosOfPages } from './year-photos.ts';

const memory = (n: number, caption: string | null = null) =>
  ({ id: String(n), plannedDateId: `date ${n}`, caption }) as Memory;
const longestDate = { plannedDateId: 'date 2' } as Year['longestDate'];
const many = (count: number) => Array.from({ length: count }, (_, n) => memory(n));

describe('the photographs of a year’s pages', () => {
  it('are on one page each, and the longest date has its own', { tags: ['stats.year.4'] }, () => {
    const photographs = [...many(8), memory(8, 'It smelled of April'), memory(9)];
    const { opening, months, longest, places, end, page } = photosOfPages({ photographs, longestDate });
    expect([opening, longest, months, places, end].map((one) => one?.id)).toEqual(['8', '2', '0', '5', '9']);
    expect(page).toEqual(photographs);
  });

  it('are spread over the page of many, from the first to the last', () => {
    const { page } = photosOfPages({ photographs: many(24), longestDate });
    expect(page.map(({ id }) => Number(id))).toEqual([0, 3, 5, 8, 10, 13, 15, 18, 20, 23]);
  });

  it('leave pages without one when there are few', { tags: ['stats.year.4'] }, () => {
    expect(photosOfPages({ photographs: [], longestDate })).toMatchObject({ opening: undefined, page: [] });
    const only = memory(2);
    expect(photosOfPages({ photographs: [only], longestDate })).toEqual({ opening: only, page: [] });
    const two = photosOfPages({ photographs: [memory(1), only], longestDate });
    expect([two.opening?.id, two.longest?.id, two.end, two.page]).toEqual(['1', '2', undefined, []]);
    const other = photosOfPages({ photographs: [memory(1)], longestDate });
    expect([other.opening?.id, other.longest]).toEqual(['1', undefined]);
  });
});
