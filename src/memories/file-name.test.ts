import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textLength } from '../base/clean-text.ts';
import { cleanFileName, FILE_NAME_MAX } from './file-name.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 400 });

describe('a file name', () => {
  it.each([
    ['us at the sea.jpg', 'us at the sea.jpg'],
    ['Élise & Zoë 👨‍👩‍👧.jpg', 'Élise & Zoë 👨‍👩‍👧.jpg'],
    ['C:\\photos\\us.jpg', 'us.jpg'],
    ['/home/ada/../us.jpg', 'us.jpg'],
    ['photo\u202egpj.exe', 'photo gpj.exe'],
    ['a\u0000b\nc.jpg', 'a b c.jpg'],
    ['  us.jpg  ', 'us.jpg'],
    ['', 'photo.jpg'],
    ['..', 'photo.jpg'],
    ['photos/', 'photo.jpg'],
    ['\ud800', '\ufffd'],
    ['.hidden', '.hidden'],
  ])('is cleaned from %j to %j', { tags: ['uploads.wire.7'] }, (raw, clean) => {
    expect(cleanFileName(raw, 'photo.jpg')).toBe(clean);
  });

  it('is shortened before its extension', () => {
    const clean = cleanFileName(`${'😀'.repeat(400)}.jpeg`, 'photo.jpg');
    expect(clean).toBe(`${'😀'.repeat(250)}.jpeg`);
  });

  it('is always short, visible and without folders, and cleaning it twice changes nothing', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const clean = cleanFileName(raw, 'photo.jpg');
        expect(clean).not.toBe('');
        expect(textLength(clean)).toBeLessThanOrEqual(FILE_NAME_MAX);
        expect(clean).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(clean.isWellFormed()).toBe(true);
        expect(cleanFileName(clean, 'photo.jpg')).toBe(clean);
      }),
    );
  });
});
