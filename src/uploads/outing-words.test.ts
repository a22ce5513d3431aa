import { expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import { NO_WORDS, withWords, wordsOf } from './outing-words.ts';
import { type Outing, outingsOf } from './outings.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');

it('what is written about an outing stays with it when photos join', { tags: ['uploads.outings.3'] }, () => {
  const [first] = outingsOf([{ id: '0', capturedAt: NOW - DAY }], NOW);
  const swim = { ...NO_WORDS, what: 'A swim' };
  const words = withWords({ other: NO_WORDS }, first as Outing, swim);
  const joined = { ids: ['9', '0'], start: 0, end: 0 };
  expect(wordsOf(joined, words)).toEqual(swim);
  expect(wordsOf({ ...joined, ids: ['9'] }, words)).toEqual(NO_WORDS);
  expect(withWords(words, joined, null)).toEqual({ other: NO_WORDS });
});
