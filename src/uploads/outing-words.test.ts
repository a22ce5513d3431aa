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

it('what was written about two outings that become one is kept until that one is added', {
  tags: ['uploads.outings.3'],
}, () => {
  const [early, late] = [
    { ids: ['1'], start: 0, end: 0 },
    { ids: ['5'], start: 0, end: 0 },
  ];
  const [swim, dinner] = ['A swim', 'Dinner'].map((what) => ({ ...NO_WORDS, what }));
  const words = withWords(withWords({}, early, swim ?? null), late, dinner ?? null);
  const both = { ids: ['1', '3', '5'], start: 0, end: 0 };
  expect(wordsOf(both, words)).toEqual(swim);
  const typed = withWords(words, both, { ...NO_WORDS, what: 'A long swim' });
  expect(wordsOf(early, typed).what).toBe('A long swim');
  expect(wordsOf(late, typed)).toEqual(dinner);
  expect(withWords(typed, both, null)).toEqual({});
});
