import fc from 'fast-check';
import { expect, it } from 'vitest';
import { printRows } from './print-rows.ts';

it('keeps every photograph, in order, in rows of at most two landscapes', { tags: ['keeping.print.1'] }, () => {
  const side = fc.integer({ min: 1, max: 9000 });
  fc.assert(
    fc.property(fc.array(fc.record({ width: side, height: side })), (photographs) => {
      const rows = printRows(photographs);
      expect(rows.flat()).toEqual(photographs);
      for (const row of rows) {
        const proportion = row.reduce((sum, { width, height }) => sum + width / height, 0);
        expect(row.length === 1 || proportion <= 3.0001).toBe(true);
      }
    }),
  );
});
