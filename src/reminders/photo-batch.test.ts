import { expect, it } from 'vitest';
import { isBatchComplete } from './photo-batch.ts';

it('photographs are announced together', () => {
  const minute = 60_000;
  expect(isBatchComplete({ firstAt: 0, lastAt: 0 }, 2 * minute)).toBe(false);
  expect(isBatchComplete({ firstAt: 0, lastAt: 0 }, 3 * minute)).toBe(true);
  expect(isBatchComplete({ firstAt: 0, lastAt: 19 * minute }, 19.5 * minute)).toBe(false);
  expect(isBatchComplete({ firstAt: 0, lastAt: 19 * minute }, 20 * minute)).toBe(true);
});
