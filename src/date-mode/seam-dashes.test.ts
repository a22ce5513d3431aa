import { expect, it } from 'vitest';
import { restDashes, sewnDashes } from './seam-dashes.ts';

it('the seam is drawn in dashes up to the needle, and in dots behind it', { tags: ['datemode.2'] }, () => {
  expect(sewnDashes([0, 0.1], 0.15)).toBe('76 24 50 1000');
  expect(sewnDashes([], 0)).toBe('0 1000');
  expect(restDashes(1)).toBe('0 1000');
  expect(restDashes(0.97)).toBe('0 1000');
  expect(restDashes(0.95)).toBe('0 963 0.1 26 0 1000');
});
