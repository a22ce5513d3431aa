import { expect, it } from 'vitest';
import { parseSize } from './parse-size.ts';

it.each([
  ['0', 0],
  ['512', 512],
  ['4KB', 4_096],
  ['1.5 mb', 1_572_864],
  [' 20GB ', 21_474_836_480],
  ['2TB', 2_199_023_255_552],
])('reads %j as %d bytes', (text, bytes) => expect(parseSize(text)).toBe(bytes));

it.each(['', 'GB', '-1', '1.5', '1,5GB', '20 GB each', '20PB', '1e3', '99999999TB'])('%j is not a size', (text) => {
  expect(parseSize(text)).toBeNull();
});
