import { foldText } from '../base/search-text.ts';
import { splitMarks } from './marks.ts';

/** How much of a note is shown before and after the first word that was found, in UTF-16 units. */
const BEFORE = 40;
const AFTER = 120;

/**
 * The part of a text around the first of the words, or null if it has none (search.12). It begins and ends at a
 * space, or between two characters where there is none nearby, as in Chinese and in long addresses.
 * @param words of `searchWords`
 */
export function excerptOf(text: string, words: readonly string[]): string | null {
  const pieces = splitMarks(text, words);
  const found = pieces.findIndex(({ isMarked }) => isMarked);
  if (found === -1) return null;
  const at = pieces.slice(0, found).reduce((length, piece) => length + piece.text.length, 0);
  const from = at <= BEFORE ? 0 : spaceAfter(text, at - BEFORE, at);
  const end = at + (pieces[found]?.text.length ?? 0) + AFTER;
  const to = end >= text.length ? text.length : spaceBefore(text, end, end - AFTER);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to).trim()}${to < text.length ? ' …' : ''}`;
}

function spaceAfter(text: string, from: number, limit: number): number {
  const space = text.slice(from, limit).search(/\s/);
  return space === -1 ? characterAt(text, from) : from + space;
}

function spaceBefore(text: string, to: number, limit: number): number {
  const space = text.slice(limit, to).search(/\s\S*$/);
  return space === -1 ? characterAt(text, to) : limit + space;
}

/** Where the character begins that has a unit of a text: half of an emoji is none. */
function characterAt(text: string, unit: number): number {
  const isSecondHalf = (text.codePointAt(unit - 1) ?? 0) > 0xffff;
  return isSecondHalf ? unit - 1 : unit;
}

/** The words that none of the texts has: those for which something else was found. */
export function wordsMissingIn(texts: readonly (string | null)[], words: readonly string[]): string[] {
  const folded = texts.map((text) => foldText(text ?? ''));
  return words.filter((word) => !folded.some((text) => text.includes(word)));
}
