import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFiles } from './check-files.ts';
import { readShare, shareText } from './share-text.ts';
import { failedText, savedText, saveText, selectedText } from './upload-texts.ts';

const file = (name: string, type = 'image/jpeg', size = 1000) => ({ name, type, size });
const MB = 1024 * 1024;

describe('chosen files', () => {
  it('accepts the five types', () => {
    const types = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp'];
    const files = types.map((type, n) => file(`${n}`, type));
    expect(checkFiles(files, 0)).toEqual({ taken: files, error: null });
  });

  it('names each invalid file on its own line, and accepts the others', { tags: ['uploads.choosing.7'] }, () => {
    const good = file('sea.jpg');
    const big = file('big.png', 'image/png', 100 * MB + 1);
    expect(checkFiles([file('notes.pdf', 'application/pdf'), good, big], 0)).toEqual({
      taken: [good],
      error:
        'notes.pdf: Invalid file type. Please use JPEG, PNG, GIF, or WebP.\n' +
        'big.png: File too large. Maximum size is 100MB.',
    });
  });

  it('accepts a file of exactly 100 MB', () => {
    expect(checkFiles([file('whole.jpg', 'image/jpeg', 100 * MB)], 0).error).toBeNull();
  });

  it('accepts a file without a type by its name', () => {
    expect(checkFiles([file('IMG_1.JPG', '')], 0).taken).toHaveLength(1);
    expect(checkFiles([file('IMG_1.HEIC', '')], 0).taken).toHaveLength(0);
  });

  it('accepts none if there would be more than 100', { tags: ['uploads.choosing.7'] }, () => {
    const many = Array.from({ length: 3 }, (_, n) => file(`${n}.jpg`));
    expect(checkFiles(many, 97).taken).toHaveLength(3);
    expect(checkFiles(many, 98)).toEqual({
      taken: [],
      error: 'You can only upload up to 100 images at once. Please select fewer files.',
    });
  });

  it('loses no file: each is accepted or named', () => {
    const anyFile = fc.record({
      name: fc.uuid(),
      type: fc.constantFrom('image/png', 'image/heic', '', 'text/plain'),
      size: fc.constantFrom(0, 1, 100 * MB, 100 * MB + 1),
    });
    fc.assert(
      fc.property(fc.array(anyFile, { maxLength: 100 }), (files) => {
        const { taken, error } = checkFiles(files, 0);
        for (const one of files) expect(taken.includes(one)).toBe(!(error ?? '').includes(`${one.name}: `));
      }),
    );
  });
});

describe('words', () => {
  it('uses the singular and the plural', { tags: ['uploads.sending.5'] }, () => {
    expect([selectedText(1), selectedText(5)]).toEqual(['1 photo selected', '5 photos selected']);
    expect([saveText(0), saveText(1), saveText(2)]).toEqual(['Save 0 Memories', 'Save 1 Memory', 'Save 2 Memories']);
    expect(savedText(1)).toBe('Our 1 beautiful moment has been saved forever');
    expect(savedText(3)).toBe('Our 3 beautiful moments have been saved forever');
    expect(failedText(2, 3)).toBe(
      '2 file(s) failed to upload. You can retry the failed uploads or continue with the 3 successfully uploaded memories.',
    );
  });
});

describe('a share', () => {
  it.each([
    ['2', '5', { stored: 2, of: 5 }],
    ['0', '3', { stored: 0, of: 3 }],
    [null, null, null],
    ['2', null, null],
    ['6', '5', null],
    ['-1', '5', null],
    ['1e3', '99999', null],
    ['<b>', '5', null],
  ])('is read from the address: %s of %s', { tags: ['screens.offline.13'] }, (stored, of, share) => {
    expect(readShare(stored, of)).toEqual(share);
  });

  it.each([
    [0, null, 'The shared photographs did not arrive. Please choose them here.'],
    [0, { stored: 2, of: 2 }, 'The shared photographs did not arrive. Please choose them here.'],
    [2, { stored: 2, of: 3 }, 'Only 2 of 3 shared photographs arrived. Please choose the other one here.'],
    [1, { stored: 3, of: 3 }, 'Only 1 of 3 shared photographs arrived. Please choose the others here.'],
    // One of an earlier share is still here.
    [4, { stored: 3, of: 5 }, 'Only 3 of 5 shared photographs arrived. Please choose the others here.'],
    [3, { stored: 3, of: 3 }, null],
    [3, null, null],
  ])(
    'of which %i are here, and %j were stored, is described in words',
    { tags: ['screens.offline.13'] },
    (arrived, share, text) => {
      expect(shareText(arrived, share)).toBe(text);
    },
  );
});
