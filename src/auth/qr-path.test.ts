import fc from 'fast-check';
import { expect, it } from 'vitest';
import { qrPath } from './qr-path.ts';

it('draws every dark module once and no light module', { tags: ['accounts.partner.2'] }, () => {
  expect(
    qrPath([
      [true, true, false],
      [false, false, true],
    ]),
  ).toBe('M0 0h2v1h-2zM2 1h1v1h-1z');
  const matrix = fc
    .nat({ max: 12 })
    .chain((width) => fc.array(fc.array(fc.boolean(), { minLength: width, maxLength: width })));
  fc.assert(
    fc.property(matrix, (rows) => {
      const drawn = rows.map((row) => row.map(() => 0));
      for (const [, x, y, length] of qrPath(rows).matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
        for (let at = Number(x); at < Number(x) + Number(length); at += 1)
          (drawn[Number(y)] ?? [])[at] = ((drawn[Number(y)] ?? [])[at] ?? 9) + 1;
      }
      expect(drawn).toEqual(rows.map((row) => row.map(Number)));
    }),
  );
});
