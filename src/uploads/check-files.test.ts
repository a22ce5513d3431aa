import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFiles } from './check-files.ts';

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
