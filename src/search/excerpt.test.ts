import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, searchWords } from '../base/search-text.ts';
import { excerptOf, wordsMissingIn } from './excerpt.ts';

const filler = (word: string) => Array.from({ length: 60 }, () => word).join(' ');

describe('where a note has the words of a search', { tags: ['search.12'] }, () => {
  it('is shown whole if it is short', () => {
    expect(excerptOf('You were late. I was glad.', ['late'])).toBe('You were late. I was glad.');
  });

  it('begins and ends at a space, with the word in it', () => {
    const excerpt = excerptOf(`${filler('before')} Café ${filler('after')}`, ['cafe']) ?? '';
    expect(excerpt).toMatch(/^… (before )+Café( after)+ …$/);
    expect(excerpt.length).toBeLessThan(180);
  });

  it.each(['說', '🎡', 'x'])('has what is around the word without a space nearby (%s)', (letter) => {
    const excerpt = excerptOf(`${letter.repeat(200)}a摩天輪a${letter.repeat(200)}`, ['摩天輪']) ?? '';
    expect(excerpt).toMatch(new RegExp(`^… ${letter}+a摩天輪a${letter}+ …$`, 'u'));
    expect(excerpt.length).toBeGreaterThan(150);
    expect(excerpt.length).toBeLessThan(180);
  });

  it('is nothing if the text has none of them', () => {
    expect(excerptOf('You were late.', ['early'])).toBeNull();
  });

  it('always has the first word that was found, and is short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ maxLength: 300 }), (before, after) => {
        const excerpt = excerptOf(`${before} needle ${after}`, ['needle']) ?? '';
        expect(foldText(excerpt)).toContain('needle');
        expect(excerpt.isWellFormed()).toBe(true);
      }),
    );
  });

  it('is looked for only for words that the ticket lacks', () => {
    expect(wordsMissingIn(['The Café', null, 'Late'], searchWords('cafe rain LATE'))).toEqual(['rain']);
  });
});
