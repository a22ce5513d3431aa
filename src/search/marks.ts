import { foldText } from '../base/search-text.ts';

/** A piece of a text, and whether it is a word that was searched for. */
export interface MarkedPiece {
  readonly text: string;
  readonly isMarked: boolean;
}

/**
 * Splits a text where the words of a search occur, without regard to case and accents (search.8).
 * @param words of `searchWords`
 */
export function splitMarks(text: string, words: readonly string[]): MarkedPiece[] {
  const letters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
  const folded = letters.map(foldText);
  const whole = folded.join('');
  /** For each unit of the folded text, the index of its letter. */
  const letterAt = folded.flatMap((part, n) => Array.from({ length: part.length }, () => n));
  const marked = new Set<number>();
  for (const word of words) {
    for (let at = whole.indexOf(word); at !== -1; at = whole.indexOf(word, at + word.length)) {
      for (let n = at; n < at + word.length; n += 1) marked.add(letterAt[n] ?? -1);
    }
  }
  const pieces: { text: string; isMarked: boolean }[] = [];
  letters.forEach((letter, n) => {
    const last = pieces.at(-1);
    if (last?.isMarked === marked.has(n)) last.text += letter;
    else pieces.push({ text: letter, isMarked: marked.has(n) });
  });
  return pieces;
}
