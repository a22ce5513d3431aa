import { expect, it } from 'vitest';
import { formatSize, plural } from './number-texts.ts';

it.each([
  [0, '0 bytes'],
  [512, '512 bytes'],
  [1023, '1023 bytes'],
  [1024, '1.0 KB'],
  [4096, '4.0 KB'],
  [1024 * 1024 - 1, '1.0 MB'],
  [2_411_725, '2.3 MB'],
  [104_857_600, '100.0 MB'],
  [5 * 1024 ** 3, '5.0 GB'],
])('formats %d bytes as %s', (bytes, said) => expect(formatSize(bytes)).toBe(said));

it('forms singular and plural', () => {
  expect([plural(0, 'idea'), plural(1, 'idea'), plural(2, 'memory', 'memories')]).toEqual([
    '0 ideas',
    '1 idea',
    '2 memories',
  ]);
});
