import { expect, it } from 'vitest';
import { countWrappedLines } from './count-wrapped-lines.ts';

/** Each letter is one wide. */
const widthOf = (text: string) => text.length;

it.each([
  ['one two', 7, 1],
  ['one two', 6, 2],
  ['one  two\nthree', 20, 2],
  ['one\n\ntwo', 20, 3],
  ['a bc def', 4, 2],
  // A browser needs one line less for each long word: its parts could be as wide as the line.
  ['abcdefghij', 5, 3],
  ['ab abcdefghij ab', 5, 4],
  ['', 5, 1],
])(
  'counts no fewer lines of %j in a column of %i than a browser',
  { tags: ['keeping.print.3'] },
  (text, width, lines) => {
    expect(countWrappedLines(text, width, widthOf)).toBe(lines);
  },
);
