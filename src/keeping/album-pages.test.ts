import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { albumPages, type DateToPrint, type MeasureText, type PagePart } from './album-pages.ts';
import { GAPS, PAGE, PRINT, SEALED_NOTE } from './print-sizes.ts';

/** Letters of three millimeters, in lines of six. */
const measure: MeasureText = (_, text, width) =>
  6 * text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil((line.length * 3) / width)), 0);

const photograph = (ratio: number, caption: string | null = null) => ({ ratio, caption });
const letter = (text: string) => ({ text, signature: 'Ada' });
const date = (parts: Partial<DateToPrint> = {}): DateToPrint => ({
  heading: 36,
  words: null,
  photographs: [],
  letters: [],
  ...parts,
});

function heightOf(part: PagePart, dates: readonly DateToPrint[]): number {
  if (part.kind === 'heading') return dates[part.date]?.heading ?? 0;
  if (part.kind === 'words') return measure('words', part.text, PAGE.width);
  if (part.kind === 'row') return part.row.height;
  const width = (part.pieces.length === 1 ? PAGE.width : (PAGE.width - GAPS.column) / 2) - 2 * SEALED_NOTE.padding;
  return Math.max(...part.pieces.map(({ text }) => measure('letter', text, width))) + 2 * SEALED_NOTE.padding + 6;
}

const usedOf = (page: readonly PagePart[], dates: readonly DateToPrint[]) =>
  page.reduce((sum, part) => sum + part.gap + heightOf(part, dates), 0);
const photographsOf = (pages: readonly (readonly PagePart[])[], n: number) =>
  pages
    .flat()
    .flatMap((part) =>
      part.kind === 'row' && part.date === n ? part.row.prints.map((print) => print.photograph) : [],
    );

describe('the pages of the album', () => {
  const ratio = fc.oneof(fc.double({ min: 0.5, max: 2, noNaN: true }), fc.double({ min: 0.02, max: 50, noNaN: true }));
  const text = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'c', '\n'), maxLength });
  const trimmed = (maxLength: number) => text(maxLength).map((words) => `x${words}x`);
  const anyDate = fc.record({
    heading: fc.integer({ min: 20, max: 90 }),
    words: fc.option(trimmed(1000)),
    photographs: fc.array(fc.record({ ratio, caption: fc.option(trimmed(60)) }), { maxLength: 30 }),
    letters: fc.array(trimmed(2000).map(letter), { maxLength: 2 }),
  });

  it('have every photograph once and in order, every word, and never more than fits', {
    tags: ['keeping.print.3'],
  }, () => {
    fc.assert(
      fc.property(fc.array(anyDate, { maxLength: 4 }), (dates) => {
        const pages = albumPages(dates, measure);
        for (const page of pages) {
          expect(page.length).toBeGreaterThan(0);
          expect(usedOf(page, dates)).toBeLessThanOrEqual(PAGE.height);
        }
        const squeeze = (words: string) => words.replace(/\s/g, '');
        dates.forEach(({ photographs, words, letters }, n) => {
          const parts = pages.flat().filter((part) => part.date === n);
          expect(photographsOf(pages, n)).toEqual(photographs.map((_, place) => place));
          const written = parts.flatMap((part) => (part.kind === 'words' ? part.text : [])).join('');
          expect(squeeze(written)).toBe(squeeze(words ?? ''));
          letters.forEach(({ text }, place) => {
            const pieces = parts.flatMap((part) => (part.kind === 'letters' ? (part.pieces[place] ?? []) : []));
            expect(squeeze(pieces.map((piece) => piece.text).join(''))).toBe(squeeze(text));
            expect(pieces.filter(({ isEnd }) => isEnd)).toHaveLength(1);
          });
        });
      }),
      { numRuns: 60 },
    );
  });

  it('crop no photograph, and have no row that is wider than the page', { tags: ['keeping.print.3'] }, () => {
    fc.assert(
      fc.property(fc.array(anyDate, { maxLength: 3 }), (dates) => {
        for (const part of albumPages(dates, measure).flat()) {
          if (part.kind !== 'row') continue;
          const { prints, height } = part.row;
          const gaps = (prints.length - 1) * PRINT.gap;
          expect(prints.reduce((sum, { room }) => sum + room, gaps)).toBeLessThanOrEqual(PAGE.width + 0.001);
          const inner = prints.map(
            ({ photograph: n, width }) =>
              (width - 2 * PRINT.border) / (dates[part.date]?.photographs[n]?.ratio ?? Number.NaN),
          );
          for (const one of inner) {
            expect(one).toBeCloseTo(inner[0] ?? Number.NaN, 6);
            expect(one + 2 * PRINT.border).toBeLessThanOrEqual(height + 0.001);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are full of photographs, but for the last', { tags: ['keeping.print.3'] }, () => {
    const shapes = fc.constantFrom(4 / 3, 3 / 2, 16 / 9, 3 / 4, 2 / 3, 1);
    fc.assert(
      fc.property(fc.array(shapes, { minLength: 40, maxLength: 60 }), (ratios) => {
        const dates = [date({ photographs: ratios.map((one) => photograph(one)) })];
        const pages = albumPages(dates, measure);
        for (const page of pages.slice(0, -1)) expect(usedOf(page, dates)).toBeGreaterThan(0.92 * PAGE.height);
        expect(pages.length).toBeLessThan(ratios.length / 4);
      }),
      { numRuns: 30 },
    );
  });

  it('begin a date on a new page if less than a third of one is left', { tags: ['keeping.print.3'] }, () => {
    const many = (count: number) => Array.from({ length: count }, () => date({ heading: 40 }));
    // 40 and 54 each: after three of them 94 are left, after four 40.
    expect(albumPages(many(5), measure).map((page) => page.length)).toEqual([4, 1]);
    const [first = []] = albumPages([date({ heading: 165 }), date({ heading: 20 })], measure);
    expect(first.map((part) => part.date)).toEqual([0]);
  });

  it('keep short letters together below the photographs, and let long ones go on on the next page', {
    tags: ['keeping.print.3'],
  }, () => {
    const photographs = Array.from({ length: 9 }, () => photograph(1.5));
    const short = albumPages([date({ photographs, letters: ['Mine', 'Theirs'].map(letter) })], measure);
    expect(short.flat().filter((part) => part.kind === 'letters')).toHaveLength(1);
    const long = albumPages([date({ letters: ['so '.repeat(660), 'Theirs'].map(letter) })], measure);
    const letters = long.flat().filter((part) => part.kind === 'letters');
    expect(letters.length).toBeGreaterThan(1);
    expect(letters[0]?.pieces[1]).toEqual({ text: 'Theirs', isEnd: true });
    expect(letters.slice(1).every(({ pieces }) => pieces[1]?.text === '')).toBe(true);
    expect(letters.map(({ pieces }) => pieces[0]?.isEnd).indexOf(true)).toBe(letters.length - 1);
  });
});
