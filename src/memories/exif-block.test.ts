import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exifWith,
  jpegWithExif,
  pngChunk,
  pngWith,
  webpWith,
  withSegment,
} from '../../tests/support/image-metadata.ts';
import { makeJpeg, makePng, makeWebp } from '../../tests/support/images.ts';
import { MAX_EXIF_BYTES, MAX_EXIF_TEXT, readExifBlock } from './exif-block.ts';
import { piecesOf, throughWindow } from './photo-file-pieces.ts';

const BLOCK = exifWith({ DateTimeOriginal: '2024:06:15 12:00:00\0' });

/** The EXIF block of a file, and how much of the file was read. */
async function find(bytes: Uint8Array) {
  let bytesRead = 0;
  const file = new Uint8Array(bytes);
  const read = throughWindow(async (at, length) => {
    const part = file.subarray(at, at + length);
    bytesRead += part.length;
    return part;
  });
  const unpack = async (packed: Uint8Array) => {
    try {
      return inflateSync(packed, { maxOutputLength: MAX_EXIF_TEXT });
    } catch {
      return null;
    }
  };
  return { block: await readExifBlock(piecesOf(read), read, unpack), bytesRead };
}
const found = async (bytes: Uint8Array) => {
  const { block } = await find(bytes);
  return block === null ? null : Buffer.from(block);
};

/** An EXIF block as a text of a PNG, as ImageMagick writes it. */
function profileText(name: string, block: Buffer, isPacked: boolean): Buffer {
  const lines = block.toString('hex').replace(/.{72}/g, '$&\n');
  const text = Buffer.from(`\n${name}\n${String(block.length).padStart(8)}\n${lines}\n`);
  const head = Buffer.from(`Raw profile type ${name}\0${isPacked ? '\0' : ''}`);
  return pngChunk(isPacked ? 'zTXt' : 'tEXt', Buffer.concat([head, isPacked ? deflateSync(text) : text]));
}

describe('a photo’s EXIF block', () => {
  it('is found in a JPEG behind other segments and odd bytes, and not behind the image data', {
    tags: ['uploads.choosing.12'],
  }, async () => {
    const jpeg = jpegWithExif(await makeJpeg(), BLOCK);
    expect((await found(jpeg))?.subarray(6)).toEqual(BLOCK);
    expect(
      await found(withSegment(withSegment(jpeg, 0xe1, 'http://ns.adobe.com/xap/1.0/\0'), 0xfe, 'a note')),
    ).not.toBeNull();
    const odd = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0, 0xff, 0, 7, 0xff]), jpeg.subarray(2)]);
    expect((await found(odd))?.subarray(6)).toEqual(BLOCK);
    expect(await found(Buffer.concat([await makeJpeg(), jpeg.subarray(2)]))).toBeNull();
  });

  it('is found in a PNG before and behind the pixels, and in a WebP', { tags: ['uploads.choosing.12'] }, async () => {
    const png = await makePng();
    expect(await found(pngWith(png, [pngChunk('eXIf', BLOCK)]))).toEqual(BLOCK);
    expect(await found(pngWith(png, [pngChunk('eXIf', BLOCK)], { isBehind: true }))).toEqual(BLOCK);
    const webp = webpWith(await makeWebp(), { width: 320, height: 240, exif: BLOCK, xmp: Buffer.from('<x/>') });
    expect(await found(webp)).toEqual(BLOCK);
  });

  it.each([true, false])(
    'is found in a text of a PNG, as ImageMagick and ExifTool write it (packed: %s)',
    { tags: ['uploads.choosing.12'] },
    async (isPacked) => {
      const png = await makePng();
      const exif = profileText('exif', BLOCK, isPacked);
      expect(await found(pngWith(png, [exif]))).toEqual(BLOCK);
      const xmp = profileText('APP1', Buffer.from('http://ns.adobe.com/xap/1.0/\0<x/>'), isPacked);
      const app1 = profileText('APP1', Buffer.concat([Buffer.from('Exif\0\0'), BLOCK]), isPacked);
      expect((await found(pngWith(png, [xmp, app1], { isBehind: true })))?.subarray(6)).toEqual(BLOCK);
    },
  );

  it('is not unpacked without end', { tags: ['memories.pictures.10'] }, async () => {
    const head = Buffer.from('Raw profile type exif\0\0');
    const bomb = pngChunk('zTXt', Buffer.concat([head, deflateSync(Buffer.alloc(64 * 1024 * 1024, '0'))]));
    expect(await found(pngWith(await makePng(), [bomb]))).toBeNull();
  });

  it('is read up to 64 KB, and nothing of the image data', { tags: ['memories.pictures.10'] }, async () => {
    const large = exifWith({}, { bytes: 3_000_000 });
    const inWebp = await find(webpWith(await makeWebp(), { width: 320, height: 240, exif: large }));
    expect(inWebp.block?.length).toBe(MAX_EXIF_BYTES);
    expect(inWebp.bytesRead).toBeLessThan(300_000);
    const photo = await makeJpeg({ width: 2000, height: 1500, grain: 64 });
    expect(photo.length).toBeGreaterThan(500_000);
    expect((await find(photo)).bytesRead).toBeLessThan(200_000);
  });

  it('is null if there is none, and never an error', async () => {
    expect(await found(Buffer.from('GIF89a'))).toBeNull();
    const starts = fc.constantFrom('\xff\xd8', '\xff\xd8\xff\xe1', '\x89PNG\r\n\x1a\n', 'RIFF0000WEBP', '');
    await fc.assert(
      fc.asyncProperty(starts, fc.uint8Array({ maxLength: 60 }), async (start, rest) => {
        const block = await found(Buffer.concat([Buffer.from(start, 'latin1'), rest]));
        expect(block === null || block.length <= rest.length + 4).toBe(true);
      }),
    );
  });
});
