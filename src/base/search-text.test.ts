import { describe, expect, it } from 'vitest';
import { foldText, memorySearchText, searchWords } from './search-text.ts';

describe('a text for the search', () => {
  it.each([
    ['Café', 'cafe'],
    ['Cafe\u0301', 'cafe'],
    ['SMØRREBRØD', 'smorrebrod'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδός', 'οδοσ'],
    ['Ёлка', 'елка'],
    ['が', 'か\u3099'],
  ])('of %j is %j', { tags: ['search.2'] }, (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('is folded letter by letter as the whole is', { tags: ['search.2'] }, () => {
    for (const text of ['Crème brûlée', 'ΟΔΟΣ ΑΒΓ', 'Đà Nẵng', 'İzmir, 한강 🎈']) {
      expect(Array.from(text.normalize('NFC'), foldText).join('')).toBe(foldText(text));
    }
  });

  it('has each word of a search once', () => {
    expect(searchWords('  Thai   thäi\tPLACE ')).toEqual(['thai', 'place']);
    expect(searchWords('\u0301')).toEqual([]);
  });

  it('of a memory has its caption and its name', () => {
    expect(memorySearchText({ caption: 'Am See', originalFileName: 'IMG_1.JPG' })).toBe('am see\nimg_1.jpg');
    expect(memorySearchText({ caption: null, originalFileName: 'b.png' })).toBe('\nb.png');
  });
});
