import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCsv as csvLines } from './csv.ts';

const toCsv = (...table: Parameters<typeof csvLines>) => [...csvLines(...table)].join('');

/** Parses CSV like a spreadsheet. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const body = text.replace(/^\ufeff/, '');
  const field = /("(?:[^"]|"")*"|[^,"\r\n]*)(,|\r\n)/gy;
  for (const [, raw = '', end] of body.matchAll(field)) {
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe('CSV', () => {
  it('keeps commas, quotes and lines in their cell', () => {
    expect(toCsv(['a', 'b'], [['x, "y"\nz', 3]])).toBe('\ufeffa,b\r\n"x, ""y""\nz",3\r\n');
    expect(toCsv(['a'], [[null]])).toBe('\ufeffa\r\n\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '=HYPERLINK("http://evil")'])(
    'makes no formula of %j',
    { tags: ['keeping.export.1'] },
    (text) => {
      const [, [cell] = []] = parse(toCsv(['a'], [[text]]));
      expect(cell).toBe(`'${text}`);
    },
  );

  it('leaves numbers unchanged, also negative ones', () => {
    expect(toCsv(['a'], [[-5]])).toBe('\ufeffa\r\n-5\r\n');
  });

  it('round-trips every text except for the apostrophe, and never starts a cell with a formula', () => {
    const texts = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string()), { minLength: 1 });
    fc.assert(
      fc.property(texts, (rows) => {
        const back = parse(toCsv(['a', 'b'], rows)).slice(1);
        const isFormula = (text: string) => /^\s*[=+\-@\t\r＋－＝＠]/.test(text);
        expect(back).toEqual(rows.map((row) => row.map((text) => (isFormula(text) ? `'${text}` : text))));
        for (const cell of back.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });
});
