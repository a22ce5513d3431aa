import { expect, it } from 'vitest';
import { captionFault } from './caption.ts';

it('counts a caption as the server does', { tags: ['uploads.choosing.5'] }, () => {
  expect(captionFault(`  ${'👩‍👩‍👧'.repeat(100)}\r\n`)).toBeUndefined();
  expect(captionFault('x'.repeat(500))).toBeUndefined();
  expect(captionFault('x'.repeat(501))).toBe('Caption cannot exceed 500 characters');
  expect(captionFault('a\u0000b')).toBe('Caption contains a character we can’t save');
});
