import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../ideas/categories.ts';
import { categoriesOf, categoryIcon, favoriteOf, paletteHue } from './category-figures.ts';

describe('categories', () => {
  const dates = [
    { category: 'Food', minutes: 60 },
    { category: 'Romantic', minutes: 300 },
    { category: 'Food', minutes: 30 },
    { category: 'Active', minutes: 90 },
    { category: 'Active', minutes: 0 },
  ];

  it('come by displayed name, most time first, ties in the order of the categories', {
    tags: ['stats.wire.6'],
  }, () => {
    expect(categoriesOf(dates)).toEqual([
      { categoryName: 'Romantic', totalTime: '5h', totalMinutes: 300, completedCount: 1 },
      { categoryName: 'Food & Dining', totalTime: '1h 30m', totalMinutes: 90, completedCount: 2 },
      { categoryName: 'Active', totalTime: '1h 30m', totalMinutes: 90, completedCount: 2 },
    ]);
    expect(categoriesOf([{ category: 'Indoor', minutes: 0 }])[0]?.totalTime).toBe('0 hours');
  });

  it('the favorite has the most dates, then the most time', { tags: ['stats.wire.6'] }, () => {
    expect(favoriteOf(categoriesOf(dates))?.categoryName).toBe('Food & Dining');
    expect(favoriteOf(categoriesOf([...dates, { category: 'Active', minutes: 1 }]))?.categoryName).toBe('Active');
    expect(favoriteOf([])).toBeNull();
  });

  it('add up to the total', () => {
    const some = fc.record({ category: fc.constantFrom(...CATEGORIES.map((c) => c.value)), minutes: fc.nat(3000) });
    fc.assert(
      fc.property(fc.array(some), (list) => {
        const figures = categoriesOf(list);
        const sum = (of: (f: (typeof figures)[number]) => number) => figures.reduce((total, f) => total + of(f), 0);
        expect(sum((f) => f.completedCount)).toBe(list.length);
        expect(sum((f) => f.totalMinutes)).toBe(list.reduce((total, { minutes }) => total + minutes, 0));
      }),
    );
  });

  it('have the 12 colors of the palette in turn', { tags: ['stats.screen.5'] }, () => {
    const hues = Array.from({ length: 24 }, (_, index) => paletteHue(index));
    expect(new Set(hues).size).toBe(12);
    expect(hues.slice(12)).toEqual(hues.slice(0, 12));
  });
  it('have icons by name, or else a heart', { tags: ['stats.screen.4'] }, () => {
    expect(['Food & Dining', 'Outdoor', 'travel', 'Unknown', ''].map(categoryIcon)).toEqual([
      'food',
      'outdoor',
      'travel',
      'heart',
      'heart',
    ]);
  });
});
