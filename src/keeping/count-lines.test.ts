import { expect, it } from 'vitest';
import { countLines } from './count-lines.ts';

/** Each letter is one wide. */
const widthOf = (text: string) => text.length;

it.each([
  ['one two', 7, 1],
  ['one two', 6, 2],
  ['one  two\nthree', 20, 2],
  ['one\n\ntwo', 20, 3],
  ['a bc def', 4, 2],
  ['abcdefghij', 5, 3],
  ['ab abcdefghij ab', 5, 4],
  ['', 5, 1],
])('counts the lines of %j in a width of %i', { tags: ['keeping.print.3'] }, (text, width, lines) => {
  expect(countLines(text, width, widthOf)).toBe(lines);
});
