import sharp from 'sharp';
import { expect, it } from 'vitest';
import { makeAnimatedGif, makeJpeg, makePng, makeWebp } from '../../../../tests/support/images.ts';
import { HEAD_LENGTH, photoTypeOf } from './photo-type.ts';

it('the type of a file is the one that its bytes name', { tags: ['wire.errors.5'] }, async () => {
  expect(photoTypeOf(await makeJpeg())).toBe('image/jpeg');
  expect(photoTypeOf(await makePng())).toBe('image/png');
  expect(photoTypeOf(await makeAnimatedGif())).toBe('image/gif');
  expect(photoTypeOf(await makeWebp())).toBe('image/webp');
  const avif = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .avif()
    .toBuffer();
  for (const other of [
    avif,
    Buffer.from('<svg/>'),
    Buffer.from('%PDF-1.7'),
    Buffer.from('RIFF1234WAVE'),
    Buffer.alloc(0),
  ]) {
    expect(photoTypeOf(other.subarray(0, HEAD_LENGTH))).toBeNull();
  }
});
