import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  exifBomb,
  exifWith,
  jpegWithExif,
  pngChunk,
  pngWith,
  webpWith,
  withSegment,
} from '../../../../tests/support/image-metadata.ts';
import { makeJpeg, makePng, makeWebp } from '../../../../tests/support/images.ts';
import { measureMemory } from '../../../../tests/support/measure-memory.ts';
import { CONTEXT, usePhotoFolder } from '../../../../tests/support/use-photo-folder.ts';
import { BROKEN_PHOTO } from '../../rules.ts';
import { makePreview } from './make-photo-variants.ts';
import { HEAD_LENGTH, photoTypeOf } from './photo-type.ts';

const { saved, judge } = usePhotoFolder();

describe('a photo with more metadata than a camera writes', () => {
  const MEGABYTE = 1024 * 1024;
  const exif = exifWith({ DateTimeOriginal: '2024:06:15 12:00:00' }, { orientation: 6, bytes: 60_000 });
  /** A JPEG with the same segment many times, so that it has about 30 MB. */
  const flooded = (jpeg: Buffer, marker: number, name: string) => {
    const one = withSegment(jpeg, marker, name, Buffer.alloc(65_000, 0x20)).subarray(2, -(jpeg.length - 2));
    return Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: 480 }, () => one), jpeg.subarray(2)]);
  };
  const jpeg = async () => jpegWithExif(await makeJpeg({ width: 320, height: 240 }), exif);
  const webp = async (parts: { exif?: Buffer; xmp?: Buffer; icc?: Buffer }) =>
    webpWith(await makeWebp(), { width: 320, height: 240, ...parts });
  const largeExif = Buffer.concat([exif, Buffer.alloc(30 * MEGABYTE)]);
  const text = Buffer.concat([Buffer.from('Comment\0'), Buffer.alloc(30 * MEGABYTE, 0x20)]);
  const upright = { width: 240, height: 320, takenAt: Date.UTC(2024, 5, 15, 12) };
  const stored = { width: 320, height: 240, takenAt: null };

  it.each([
    ['a JPEG with comments', () => jpeg().then((one) => flooded(one, 0xfe, '')), upright],
    ['a JPEG with XMP', () => jpeg().then((one) => flooded(one, 0xe1, 'http://ns.adobe.com/xap/1.0/\0')), upright],
    ['a JPEG with IPTC', () => jpeg().then((one) => flooded(one, 0xed, 'Photoshop 3.0\0')), upright],
    [
      'a JPEG with parts of a profile',
      () => jpeg().then((one) => flooded(one, 0xe2, 'ICC_PROFILE\0\x01\x01')),
      upright,
    ],
    ['a JPEG with thumbnails', () => jpeg().then((one) => flooded(one, 0xe0, 'JFXX\0')), upright],
    ['a JPEG with EXIF blocks', () => jpeg().then((one) => flooded(one, 0xe1, 'Exif\0\0')), stored],
    ['a WebP with EXIF', () => webp({ exif: largeExif }), upright],
    ['a WebP with XMP', () => webp({ exif, xmp: Buffer.alloc(30 * MEGABYTE, 0x20) }), upright],
    ['a WebP with a profile', () => webp({ exif, icc: Buffer.alloc(30 * MEGABYTE, 1) }), upright],
    ['a PNG with EXIF', async () => pngWith(await makePng(), [pngChunk('eXIf', largeExif)]), upright],
    [
      'a PNG with a text',
      async () => pngWith(await makePng(), [pngChunk('eXIf', exif), pngChunk('tEXt', text)]),
      upright,
    ],
    ['a PNG with an unknown chunk', async () => pngWith(await makePng(), [pngChunk('teSt', text)]), stored],
  ])('takes %s, and little memory', { tags: ['memories.pictures.10'] }, async (_, make, expected) => {
    const bytes = await make();
    expect(bytes.length).toBeGreaterThan(28 * MEGABYTE);
    const path = await saved(bytes);
    const { answer, megabytes } = await measureMemory(
      `const type = ${JSON.stringify(photoTypeOf(bytes.subarray(0, HEAD_LENGTH)))};
      const all = await Promise.all([0, 1, 2, 3].map(() => inspectPhoto(paths[0], type, ${CONTEXT})));
      const preview = await sharp(await makePreview(paths[0])).metadata();
      const { width, height, takenAt } = all[3];
      return { width, height, takenAt, preview: [preview.width, preview.height] };`,
      path,
    );
    expect(answer).toEqual({ ...expected, preview: [expected.width, expected.height] });
    // Four times the file would be 120, and the image library would copy it.
    expect(megabytes).toBeLessThan(80);
  });

  it('keeps the color profile, and refuses the file if its picture is truncated', {
    tags: ['memories.pictures.10'],
  }, async () => {
    const green = sharp({ create: { width: 400, height: 300, channels: 3, background: { r: 0, g: 255, b: 0 } } });
    const wide = await green.withIccProfile('p3').jpeg({ quality: 98 }).toBuffer();
    const bytes = flooded(wide, 0xfe, '');
    expect((await judge(bytes)).thumbnail).toEqual((await judge(wide)).thumbnail);
    await expect(judge(bytes.subarray(0, -800))).rejects.toThrow(BROKEN_PHOTO);
    await expect(judge((await webp({ exif: largeExif })).subarray(0, 300))).rejects.toThrow(BROKEN_PHOTO);
  });

  it('refuses millions of tiny pieces', { tags: ['memories.pictures.10'] }, async () => {
    const one = await makeJpeg();
    const empty = Buffer.alloc(4 * MEGABYTE);
    for (let at = 0; at < empty.length; at += 4) empty.writeUInt32BE(0xff_fe_00_02, at);
    await expect(judge(Buffer.concat([one.subarray(0, 2), empty, one.subarray(2)]))).rejects.toThrow(BROKEN_PHOTO);
  });

  it('takes one with thousands of entries that claim the whole block', { tags: ['memories.pictures.10'] }, async () => {
    expect(await judge(jpegWithExif(await makeJpeg(), exifBomb()))).toMatchObject({ width: 640, takenAt: null });
    const inWebp = await webp({ exif: exifBomb({ entries: 400, bytes: 2_000_000 }) });
    expect(await judge(inWebp)).toMatchObject(stored);
  });

  it('does not unpack it', { tags: ['memories.pictures.10'] }, async () => {
    const png = await makePng();
    const packed = (bytes: Buffer) => Buffer.concat([Buffer.from('x\0\0', 'latin1'), deflateSync(bytes)]);
    const zeros = packed(Buffer.alloc(128 * MEGABYTE));
    const before = process.memoryUsage.rss();
    for (const type of ['iCCP', 'zTXt']) {
      expect(await judge(pngWith(png, [pngChunk(type, zeros)]))).toMatchObject(stored);
    }
    const text = pngChunk('zTXt', packed(randomBytes(80_000)));
    expect(await judge(pngWith(png, [text, text, text, text]))).toMatchObject(stored);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MEGABYTE);
  });
});

/**
 * A flat gray JPEG of 8 pixels in width with a restart marker after each block of 8 by 8, without an end marker: its head,
 * and then by turns a block and a marker.
 */
async function restartingJpeg(blocks: number): Promise<Buffer[]> {
  const flat = sharp({ create: { width: 8, height: 8 * blocks, channels: 3, background: '#808080' } });
  const jpeg = await flat.toColourspace('b-w').jpeg({ optimiseCoding: false }).toBuffer();
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const data = scan + 2 + jpeg.readUInt16BE(scan + 2);
  const eachBlock = Buffer.from([0xff, 0xdd, 0, 4, 0, 1]);
  const head = Buffer.concat([jpeg.subarray(0, scan), eachBlock, jpeg.subarray(scan, data)]);
  // No difference in brightness, and nothing else.
  const block = Buffer.from([0b0010_1011]);
  const parts = Array.from({ length: blocks }, (_, at) => [block, Buffer.from([0xff, 0xd0 + (at % 8)])]);
  return [head, ...parts.flat().slice(0, -1)];
}

describe('the end of a JPEG', () => {
  it.each([false, true])(
    'takes a JPEG that lacks only its end marker, and refuses one that lacks picture data (progressive: %s)',
    { tags: ['memories.pictures.9'] },
    async (progressive) => {
      for (let seed = 1; seed <= 8; seed += 1) {
        // Small and noisy: quick to decode, with more than the 5,000 bytes that are cut off.
        const whole = await sharp(await makeJpeg({ seed, width: 240, height: 180, grain: 64 }))
          .jpeg({ progressive })
          .toBuffer();
        const expected = await judge(whole);
        for (const missing of [1, 2]) {
          const cut = whole.subarray(0, -missing);
          expect(await judge(cut)).toEqual(expected);
          expect(await makePreview(await saved(cut))).toEqual(await makePreview(await saved(whole)));
        }
        for (const missing of [4, 30, 5_000]) {
          await expect(judge(whole.subarray(0, -missing))).rejects.toThrow(BROKEN_PHOTO);
          await expect(judge(Buffer.concat([whole.subarray(0, -missing), whole.subarray(-2)]))).rejects.toThrow(
            BROKEN_PHOTO,
          );
        }
      }
    },
  );

  it('refuses a JPEG that ends at one of its restart markers', { tags: ['memories.pictures.9'] }, async () => {
    const parts = await restartingJpeg(100);
    expect(await judge(Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]))).toMatchObject({ width: 8, height: 800 });
    expect(await judge(Buffer.concat(parts))).toMatchObject({ width: 8, height: 800 });
    for (const count of [50, 51]) {
      const cut = Buffer.concat(parts.slice(0, count));
      await expect(judge(cut)).rejects.toThrow(BROKEN_PHOTO);
      await expect(judge(Buffer.concat([cut, Buffer.from([0xff, 0xd9])]))).rejects.toThrow(BROKEN_PHOTO);
    }
  });
});
