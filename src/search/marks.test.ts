import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, searchWords } from '../base/search-text.ts';
import { splitMarks } from './marks.ts';

const shown = (text: string, query: string) =>
  splitMarks(text, searchWords(query))
    .map(({ text: piece, isMarked }) => (isMarked ? `[${piece}]` : piece))
    .join('');

describe('the marks of a search', () => {
  it.each([
    ['That Thai place', 'thai', 'That [Thai] place'],
    ['Café am See', 'CAFE see', '[Café] am [See]'],
    ['Cafe\u0301 am See', 'café', '[Cafe\u0301] am See'],
    ['Straße 5', 'strasse', '[Straße] 5'],
    ['Straße 5', 'ras', 'St[raß]e 5'],
    ['👨‍👩‍👧 zoo', 'zoo', '👨‍👩‍👧 [zoo]'],
    ['aaaa', 'aa', '[aaaa]'],
    ['one two', 'three', 'one two'],
    ['', 'x', ''],
  ])('in %j for %j', { tags: ['search.8'] }, (text, query, expected) => {
    expect(shown(text, query)).toBe(expected);
  });

  it('leave every text as it is', { tags: ['search.8'] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }), (text, query) => {
        const pieces = splitMarks(text, searchWords(query));
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const { text: piece, isMarked } of pieces) {
          if (isMarked) expect(searchWords(query).some((word) => foldText(piece).includes(word[0] ?? ''))).toBe(true);
        }
      }),
    );
  });
});
