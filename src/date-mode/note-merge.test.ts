import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeInto, mergeNotes, movedCaret } from './note-merge.ts';

describe('two changes of one note', { tags: ['datemode.8'] }, () => {
  it.each([
    ['only ours', 'A walk.', 'A long walk.', 'A walk.', 'A long walk.'],
    ['only theirs', 'A walk.', 'A walk.', 'A walk. Rain!', 'A walk. Rain!'],
    ['the same', 'A walk.', 'A walk. Rain!', 'A walk. Rain!', 'A walk. Rain!'],
    ['different places', 'One. Two. Three.', 'One! Two. Three.', 'One. Two. Three. Four.', 'One! Two. Three. Four.'],
    ['both first words', '', 'You laughed.', 'It rained.', 'It rained.\nYou laughed.'],
    ['both at the end', 'Lamps.', 'Lamps. Mine.', 'Lamps. Yours.', 'Lamps. Yours.\nMine.'],
    ['all of ours is a part of theirs', '', 'no', 'I know', 'I know\nno'],
    ['all of theirs is the beginning of ours', '', 'Yesterday we walked', 'Yes', 'Yes\nYesterday we walked'],
    ['all of ours is the beginning of theirs', '', 'Yes', 'Yesterday we walked', 'Yesterday we walked\nYes'],
    ['ours replaced what theirs replaced with more', 'Rain.', 'Sun', 'Sun and wind', 'Sun and wind\nSun'],
    ['ours deleted what they kept', 'One two three', 'One three', 'One TWO three', 'One TWO three'],
    ['ours inside theirs', 'One two three', 'One 2 three', 'Nothing at all', 'Nothing at all\n2'],
    ['theirs cleared everything', 'One.', 'One. And more.', '', ' And more.'],
  ])('merge: %s', (_, base, ours, theirs, merged) => {
    expect(mergeNotes(base, ours, theirs)).toBe(merged);
  });

  it('lose no inserted word, wherever both wrote', { tags: ['datemode.8'] }, () => {
    const base = 'the lamps along the river';
    for (let mine = 0; mine <= base.length; mine += 1) {
      for (let other = 0; other <= base.length; other += 1) {
        const ours = `${base.slice(0, mine)}<MINE>${base.slice(mine)}`;
        const theirs = `${base.slice(0, other)}<OTHER>${base.slice(other)}`;
        const merged = mergeNotes(base, ours, theirs);
        expect(merged).toContain('<MINE>');
        expect(merged).toContain('<OTHER>');
        expect(merged.replaceAll(/<\w+>|\n/g, '').replaceAll(' ', '')).toBe(base.replaceAll(' ', ''));
      }
    }
  });

  it('lose no inserted letter, whatever the two words have in common', { tags: ['datemode.8'] }, () => {
    const letters = (text: string) => text.replaceAll(/\s/g, '').split('').toSorted().join('');
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
    const place = fc.nat({ max: 4 });
    const insert = (base: string, at: number, added: string) => base.slice(0, at) + added + base.slice(at);
    fc.assert(
      fc.property(fc.constantFrom('', 'ab c', 'aaaa'), word, word, place, place, (base, mine, other, at, from) => {
        const [ours, theirs] = [insert(base, at, mine), insert(base, from, other)];
        const merged = mergeNotes(base, ours, theirs);
        // Both typed the same: once is enough.
        expect(letters(merged)).toBe(ours === theirs ? letters(theirs) : letters(base + mine + other));
      }),
    );
  });
});

describe('a note whose last answer was lost', { tags: ['datemode.8'] }, () => {
  const typed = { base: 'A', text: 'A hello w', sent: { text: 'A hello', note: 'A hello' } };

  it('is not merged with itself', () => {
    expect(mergeInto('A hello', typed)).toBe('A hello w');
    // It was merged with the partner's words before it was sent.
    const merged = 'A\nTheirs\nhello';
    expect(mergeInto(merged, { ...typed, sent: { text: 'A hello', note: merged } })).toBe('A\nTheirs\nhello w');
  });

  it('is merged with what the partner wrote if it did not arrive', () => {
    expect(mergeInto('A cat', typed)).toBe('A cat\nhello w');
  });
});

describe('the caret, when the partner’s words arrive', { tags: ['datemode.8'] }, () => {
  it.each([
    ['stays before the change', 'abc', 'abcXY', 1, 1],
    ['moves along after it', 'abc', 'XYabc', 2, 4],
    ['stays in the text when words are removed', 'abcdef', 'ab', 5, 2],
  ])('%s', (_, before, now, caret, moved) => {
    expect(movedCaret(before, now, caret)).toBe(moved);
  });
});
