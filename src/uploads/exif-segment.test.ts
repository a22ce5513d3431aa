import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findExif } from './exif-segment.ts';

const reader = (bytes: Uint8Array<ArrayBuffer>) => async (at: number, length: number) =>
  bytes.subarray(at, at + Math.max(0, length));
const text = (value: string) => Uint8Array.from(value, (letter) => letter.charCodeAt(0));
const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const big = (value: number) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
const found = async (bytes: Uint8Array<ArrayBuffer>) => {
  const exif = await findExif(reader(bytes));
  return exif === null ? null : String.fromCharCode(...exif);
};

const segment = (marker: number, body: string) =>
  joined(Uint8Array.of(0xff, marker, (body.length + 2) >> 8, body.length + 2), text(body));
const chunk = (type: string, body: string) => joined(big(body.length), text(type), text(body), big(0));
const riff = (type: string, body: string) =>
  joined(text(type), big(body.length).toReversed(), text(body), text(body.length % 2 ? '\0' : ''));

describe('a photo’s EXIF block', () => {
  it('is found in a JPEG after other segments', async () => {
    const parts = [segment(0xe0, 'JFIF'), segment(0xe1, 'http://ns.adobe.com'), segment(0xe1, 'Exif\0\0MM')];
    expect(await found(joined(text('\xff\xd8'), ...parts))).toBe('Exif\0\0MM');
    expect(await found(joined(text('\xff\xd8'), segment(0xda, ''), ...parts))).toBeNull();
  });

  it('is found in a PNG and in a WebP, before and after the image data', async () => {
    const png = text('\x89PNG\r\n\x1a\n');
    expect(await found(joined(png, chunk('IHDR', 'x'), chunk('IDAT', 'abc'), chunk('eXIf', 'MM*')))).toBe('MM*');
    const webp = joined(text('RIFF'), big(0), text('WEBP'));
    expect(await found(joined(webp, riff('VP8X', 'abc'), riff('VP8 ', 'abcd'), riff('EXIF', 'II*')))).toBe('II*');
  });

  it('is null if there is none, and never an error', async () => {
    expect(await found(text('GIF89a'))).toBeNull();
    const starts = fc.constantFrom('\xff\xd8', '\x89PNG\r\n\x1a\n', 'RIFF0000WEBP', '');
    await fc.assert(
      fc.asyncProperty(starts, fc.uint8Array({ maxLength: 60 }), async (start, rest) => {
        const exif = await findExif(reader(joined(text(start), rest)));
        expect(exif === null || exif.length <= rest.length).toBe(true);
      }),
    );
  });
});
