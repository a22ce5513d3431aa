import { describe, expect, it } from 'vitest';
import { retryDelay } from './retry-delay.ts';

describe('a retry', () => {
  it('backs off, and gives up after half a minute', () => {
    expect([1, 2, 3, 4, 5, 6].map((tries) => retryDelay(tries, null))).toEqual([1000, 2000, 4000, 8000, 15000, null]);
    expect(retryDelay(1, 30)).toBe(30_000);
    expect([1, 5, 6, 20, 21].map((tries) => retryDelay(tries, 1, true))).toEqual([1000, 15000, 15000, 15000, null]);
    expect(retryDelay(1, 1e9)).toBe(1_800_000);
  });
});
