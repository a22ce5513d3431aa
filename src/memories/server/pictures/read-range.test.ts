import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRange } from './read-range.ts';

it('always returns a range within the file', () => {
  const header = fc.tuple(fc.option(fc.nat(50)), fc.option(fc.nat(50))).map(([a, b]) => `bytes=${a ?? ''}-${b ?? ''}`);
  fc.assert(
    fc.property(header, fc.nat(40), (range, size) => {
      const part = readRange(range, size);
      if (part === null || part === 'unsatisfiable') return;
      expect(part.start).toBeGreaterThanOrEqual(0);
      expect(part.end).toBeGreaterThanOrEqual(part.start);
      expect(part.end).toBeLessThan(size);
    }),
  );
});

it.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=99-', { start: 99, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-', null],
  ['bytes=9-3', null],
  ['bytes=1-2,4-5', null],
  [undefined, null],
])('parses %s of a hundred bytes', { tags: ['memories.sending.5'] }, (header, expected) => {
  expect(readRange(header, 100)).toEqual(expected);
});
