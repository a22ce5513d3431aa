import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, countText, hasForbiddenCharacter, textOrNull } from './clean-text.ts';

describe('lengths are code points after trimming and NFC', { tags: ['wire.values.7', 'wire.values.8'] }, () => {
  it.each([
    ['two hearts', '💕💕', 2],
    ['a family, seven code points and one picture', '👨‍👩‍👧‍👦', 7],
    ['an accent typed after its letter', 'cafe\u0301', 4],
    ['space around', '  at home \n', 7],
    ["a browser's line ends", 'one\r\ntwo\rthree', 13],
    ['nothing but blanks', ' \t\n ', 0],
    ['nothing that can be seen', '\u200b \u2060\u200d\ufe0f\u3164\u00ad', 0],
    ['a heart with its variation selector', '❤️', 2],
    ['joiners inside words', 'می\u200cخواهم', 8],
  ])('%s', (_, raw, length) => expect(countText(raw)).toBe(length));

  it('doesn’t change when it is cleaned twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (raw) => {
        expect(cleanText(cleanText(raw))).toBe(cleanText(raw));
      }),
    );
  });

  it('is the same for all line ends that browsers send', { tags: ['wire.values.7'] }, () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (lines) => {
        expect(countText(lines.join('\r\n'))).toBe(countText(lines.join('\n').replace(/\r\n?/g, '\n')));
      }),
    );
  });
});

describe('forbidden characters', { tags: ['wire.values.9'] }, () => {
  it.each(['\u0000', '\u0007', '\u000b', '\u001b', '\ud800', 'a\udc00b'])('include %j', (bad) => {
    expect(hasForbiddenCharacter(`before${bad}after`)).toBe(true);
  });

  it.each(['tab\tand\nnewline\r\n', 'مرحبا', '👩‍❤️‍👨', '\u200d', '\u007f'])('don’t include %j', (good) => {
    expect(hasForbiddenCharacter(good)).toBe(false);
  });
});

it.each([
  [undefined, null],
  [null, null],
  ['   ', null],
  [' by the sea ', 'by the sea'],
])('%j means %j', (raw, value) => expect(textOrNull(raw)).toBe(value));
