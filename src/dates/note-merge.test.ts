import { describe, expect, it } from 'vitest';
import { mergeNotes, movedCaret } from './note-merge.ts';

describe('two changes of one note (contract 6)', () => {
  it.each([
    ['only ours', 'A walk.', 'A long walk.', 'A walk.', 'A long walk.'],
    ['only theirs', 'A walk.', 'A walk.', 'A walk. Rain!', 'A walk. Rain!'],
    ['the same', 'A walk.', 'A walk. Rain!', 'A walk. Rain!', 'A walk. Rain!'],
    ['different places', 'One. Two. Three.', 'One! Two. Three.', 'One. Two. Three. Four.', 'One! Two. Three. Four.'],
    ['both first words', '', 'You laughed.', 'It rained.', 'It rained.\nYou laughed.'],
    ['both at the end', 'Lamps.', 'Lamps. Mine.', 'Lamps. Yours.', 'Lamps. Yours.\nMine.'],
    ['an earlier state of ours', 'A', 'A hello w', 'A hello', 'A hello w'],
    ['ours deleted what they kept', 'One two three', 'One three', 'One TWO three', 'One TWO three'],
    ['ours inside theirs', 'One two three', 'One 2 three', 'Nothing at all', 'Nothing at all\n2'],
    ['theirs cleared everything', 'One.', 'One. And more.', '', ' And more.'],
  ])('merge: %s', (_, base, ours, theirs, merged) => {
    expect(mergeNotes(base, ours, theirs)).toBe(merged);
  });

  it('lose no inserted word, wherever both wrote', () => {
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
});

describe('the caret, when the partner’s words arrive', () => {
  it.each([
    ['stays before the change', 'abc', 'abcXY', 1, 1],
    ['moves along after it', 'abc', 'XYabc', 2, 4],
    ['stays in the text when words are removed', 'abcdef', 'ab', 5, 2],
  ])('%s', (_, before, now, caret, moved) => {
    expect(movedCaret(before, now, caret)).toBe(moved);
  });
});
