import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  makeAnimatedGif,
  makeAnimatedWebp,
  makeGradient,
  makeHalfJpeg,
  makeJpeg,
  makeLongWebp,
  makePixelBomb,
  makePng,
  makePngClaim,
  makeWebp,
} from '../../../../tests/support/images.ts';
import { measureMemory } from '../../../../tests/support/measure-memory.ts';
import { CONTEXT, NOW, usePhotoFolder } from '../../../../tests/support/use-photo-folder.ts';
import { Refusal } from '../../../base/refusal.ts';
import { BROKEN_PHOTO, TOO_MANY_FRAMES, TOO_MANY_PIXELS } from '../../rules.ts';
import { inspectPhoto } from './inspect-photo.ts';
import { makePreview, makeThumbnail } from './make-photo-variants.ts';

const { pathOf, saved, judge } = usePhotoFolder();

/** Returns the color at the center of a picture. */
async function middleOf(picture: Buffer): Promise<number[]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return [...data.subarray(at, at + 3)];
}

/** A blue picture whose top left quarter is red, so that the red corner shows how it was rotated. */
function corner(width = 480, height = 320) {
  const red = sharp({ create: { width: width / 2, height: height / 2, channels: 3, background: '#e01010' } });
  return red.extend({ right: width / 2, bottom: height / 2, background: '#1010e0' });
}

async function redCorner(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  const isRed = (x: number, y: number) => (data[(y * info.width + x) * info.channels] ?? 0) > 128;
  const [right, bottom] = [info.width - 5, info.height - 5];
  if (isRed(5, 5)) return 'top left';
  if (isRed(right, 5)) return 'top right';
  return isRed(5, bottom) ? 'bottom left' : isRed(right, bottom) ? 'bottom right' : 'none';
}

/** Changes the header of a GIF to claim a canvas and a first frame of this size. */
function enlargeGif(gif: Buffer, side: number): Buffer {
  const frame = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 8, 0, 8, 0]));
  for (const at of [6, 8, frame + 5, frame + 7]) gif.writeUInt16LE(side, at);
  return gif;
}

/** Creates a lossless WebP whose header claims this size. */
async function claimWebp(width: number, height: number): Promise<Buffer> {
  const webp = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .webp({ lossless: true })
    .toBuffer();
  // After the chunk's header and a signature, width and height minus one have 14 bits each.
  webp.writeUInt32LE(((height - 1) << 14) | (width - 1), webp.indexOf('VP8L') + 9);
  return webp;
}

describe('inspecting a photo', () => {
  it('finds its size, capture time and ThumbHash', {
    tags: ['memories.pictures.4', 'memories.pictures.11', 'memories.pictures.12'],
  }, async () => {
    const judged = await judge(
      await makeJpeg({ width: 640, height: 480, takenAt: '2026:07:04 21:30:15' }),
      'Europe/Rome',
    );
    expect(judged).toMatchObject({ width: 640, height: 480, takenAt: Date.UTC(2026, 6, 4, 19, 30, 15) });
    expect(Buffer.from(judged.thumbHash, 'base64').length).toBeGreaterThan(15);
    expect(await sharp(judged.thumbnail).metadata()).toMatchObject({ format: 'webp', width: 320, height: 240 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'rotates it upright from orientation %i',
    { tags: ['memories.pictures.2'] },
    async (orientation) => {
      const stored = await corner().withMetadata({ orientation }).jpeg().toBuffer();
      const upright = await sharp(stored).autoOrient().png().toBuffer();
      const judged = await judge(stored);
      const wide = orientation < 5;
      expect([judged.width, judged.height]).toEqual(wide ? [480, 320] : [320, 480]);
      for (const shown of [
        judged.thumbnail,
        await makePreview(await saved(stored)),
        await makeThumbnail(await saved(stored)),
      ]) {
        const { width, height, orientation: left } = await sharp(shown).metadata();
        expect(width > height).toBe(wide);
        expect(left).toBeUndefined();
        expect(await redCorner(shown)).toBe(await redCorner(upright));
      }
    },
  );

  it('strips the location, time and camera from what is shown', { tags: ['memories.pictures.3'] }, async () => {
    const bytes = await makeJpeg({
      gps: { latitude: 41.9, longitude: 12.5 },
      takenAt: '2026:07:04 21:30:15',
      width: 2000,
      height: 1500,
    });
    expect((await sharp(bytes).metadata()).exif).toBeDefined();
    for (const shown of [(await judge(bytes)).thumbnail, await makePreview(await saved(bytes))]) {
      const { exif, xmp, iptc, icc } = await sharp(shown).metadata();
      expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
    }
  });

  it('makes a preview of 1600 pixels, and enlarges nothing', { tags: ['memories.pictures.4'] }, async () => {
    const large = await sharp(await makePreview(await saved(await makeJpeg({ width: 2400, height: 1200 })))).metadata();
    expect([large.format, large.width, large.height]).toEqual(['webp', 1600, 800]);
    const small = await sharp(await makePreview(await saved(await makePng({ width: 90, height: 60 })))).metadata();
    expect([small.width, small.height]).toEqual([90, 60]);
    expect(await sharp((await judge(await makePng({ width: 90, height: 60 }))).thumbnail).metadata()).toMatchObject({
      width: 90,
    });
  });

  // CMYK has no color that is exactly the same.
  it.each([
    ['CMYK', 25, (image: Sharp) => image.toColourspace('cmyk').jpeg({ quality: 95 })],
    ['16 bits', 5, (image: Sharp) => image.toColourspace('rgb16').png()],
    ['a palette', 5, (image: Sharp) => image.png({ palette: true })],
  ] as const)('shows the true colors of %s', { tags: ['memories.pictures.6'] }, async (_, far, encode) => {
    const orange = sharp({ create: { width: 400, height: 300, channels: 3, background: { r: 200, g: 120, b: 60 } } });
    const bytes = await encode(orange).toBuffer();
    for (const shown of [(await judge(bytes)).thumbnail, await makePreview(await saved(bytes))]) {
      const [r = 0, g = 0, b = 0] = await middleOf(shown);
      expect(Math.max(Math.abs(r - 200), Math.abs(g - 120), Math.abs(b - 60))).toBeLessThan(far);
      expect((await sharp(shown).metadata()).space).toBe('srgb');
    }
  });

  it('converts a wide gamut to sRGB by its profile', { tags: ['memories.pictures.6'] }, async () => {
    const green = sharp({ create: { width: 400, height: 300, channels: 3, background: { r: 0, g: 255, b: 0 } } });
    const bytes = await green.withIccProfile('p3').jpeg({ quality: 98 }).toBuffer();
    // Without the profile, its values are another green: 117, 251, 76.
    const numbers = await sharp(bytes, { ignoreIcc: true }).png().toBuffer();
    expect((await middleOf(numbers))[0]).toBeGreaterThan(90);
    for (const shown of [(await judge(bytes)).thumbnail, await makePreview(await saved(bytes))]) {
      const [r = 0, g = 0, b = 0] = await middleOf(shown);
      expect(Math.max(r, 255 - g, b)).toBeLessThan(12);
    }
  });

  it('accepts grayscale and partly transparent images', { tags: ['memories.pictures.6'] }, async () => {
    const grey = sharp({ create: { width: 40, height: 30, channels: 3, background: 'grey' } }).toColourspace('b-w');
    expect(await judge(await grey.jpeg().toBuffer())).toMatchObject({ width: 40, height: 30 });
    const glass = sharp({
      create: { width: 40, height: 30, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.4 } },
    });
    expect((await sharp((await judge(await glass.png().toBuffer())).thumbnail).metadata()).hasAlpha).toBe(true);
  });

  it.each([
    ['GIF', () => makeAnimatedGif({ frames: 5 })],
    ['WebP', () => makeAnimatedWebp({ frames: 5 })],
  ])(
    'animates the preview of an animated %s, but not its thumbnail',
    { tags: ['memories.pictures.5'] },
    async (_, make) => {
      const bytes = await make();
      const judged = await judge(bytes);
      expect(judged).toMatchObject({ width: 160, height: 120 });
      expect((await sharp(judged.thumbnail).metadata()).pages ?? 1).toBe(1);
      expect((await sharp(await makeThumbnail(await saved(bytes))).metadata()).pages ?? 1).toBe(1);
      const preview = await sharp(await makePreview(await saved(bytes))).metadata();
      expect(preview).toMatchObject({ format: 'webp', pages: 5, loop: 0, delay: [100, 100, 100, 100, 100] });
    },
  );

  it.each([
    ['JPEG', makeJpeg],
    ['PNG', makePng],
    ['WebP', makeWebp],
    ['animated GIF', makeAnimatedGif],
    ['animated WebP', makeAnimatedWebp],
  ])('refuses a truncated %s', { tags: ['memories.pictures.9'] }, async (_, make) => {
    const bytes = await make();
    for (const part of [0.3, 0.5, 0.9]) {
      const refused = await judge(bytes.subarray(0, Math.floor(bytes.length * part))).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Refusal);
      expect(refused).toMatchObject({ status: 400, errors: [{ field: 'ImageFile', message: BROKEN_PHOTO }] });
    }
  });

  it('refuses half a JPEG with a complete header', { tags: ['memories.pictures.9'] }, async () => {
    await expect(judge(await makeHalfJpeg())).rejects.toThrow(BROKEN_PHOTO);
  });

  it('accepts a JPEG that decodes with a warning, as some phones write it', {
    tags: ['memories.pictures.9'],
  }, async () => {
    // Extraneous bytes before a marker: the decoder warns, but decodes the picture.
    const jpeg = await makeJpeg();
    const at = 4 + jpeg.readUInt16BE(4);
    const odd = Buffer.concat([jpeg.subarray(0, at), Buffer.from([0x00, 0x00]), jpeg.subarray(at)]);
    await expect(sharp(odd).raw().toBuffer()).rejects.toThrow(/extraneous bytes/);
    expect(await judge(odd)).toMatchObject({ width: 640, height: 480 });
  });

  it('refuses decompression bombs by their headers, without decoding', { tags: ['memories.pictures.8'] }, async () => {
    // The PNG has no pixel data, so decoding it would fail; the GIF's canvas would take 3.6 GB.
    const gif = enlargeGif(await makeAnimatedGif({ width: 8, height: 8, frames: 2 }), 30_000);
    const { answer, megabytes } = await measureMemory(
      `const judged = [inspectPhoto(paths[0], 'image/png', ${CONTEXT}), inspectPhoto(paths[1], 'image/gif', ${CONTEXT})];
      return Promise.all(judged.map((one) => one.catch(({ message }) => message)));`,
      await saved(await makePixelBomb()),
      await saved(gif),
    );
    expect(answer).toEqual([TOO_MANY_PIXELS, TOO_MANY_PIXELS]);
    expect(megabytes).toBeLessThan(50);
  });

  it('accepts 200 megapixels from a phone in little memory', { tags: ['memories.pictures.7'] }, async () => {
    const path = pathOf('200-megapixels.jpg');
    const blank = { create: { width: 16_320, height: 12_240, channels: 3 as const, background: '#88776a' } };
    await sharp(blank).jpeg().toFile(path);
    const { answer, megabytes } = await measureMemory(
      `const { width, height } = await inspectPhoto(paths[0], 'image/jpeg', ${CONTEXT});
      await makePreview(paths[0]);
      return [width, height];`,
      path,
    );
    expect(answer).toEqual([16_320, 12_240]);
    expect(megabytes).toBeLessThan(150);
  });

  it('refuses by its header a large image that must be held in memory as a whole', {
    tags: ['memories.pictures.7'],
  }, async () => {
    const progressive = await sharp(await makeJpeg())
      .jpeg({ progressive: true })
      .toBuffer();
    const size = progressive.indexOf(Buffer.from([0xff, 0xc2])) + 5;
    const claim = (height: number, width: number) => {
      progressive.writeUInt16BE(height, size);
      progressive.writeUInt16BE(width, size + 2);
      return judge(progressive);
    };
    await expect(claim(11_000, 10_500)).rejects.toThrow(TOO_MANY_PIXELS);
    expect(await claim(480, 640)).toMatchObject({ width: 640, height: 480 });
    const gif = await makeAnimatedGif({ width: 8, height: 8, frames: 2 });
    await expect(judge(enlargeGif(gif, 10_001))).rejects.toThrow(TOO_MANY_PIXELS);
    await expect(judge(await claimWebp(14_000, 14_000))).rejects.toThrow(TOO_MANY_PIXELS);
    for (const bomb of [
      { width: 10_000, height: 9_000, depth: 16, interlaced: true },
      { width: 15_000, height: 15_000, interlaced: true },
      // Not interlaced, but each line of the thumbnail needs the whole image.
      { width: 1_000_000, height: 250 },
      { width: 500_000, height: 200, depth: 16 },
    ] as const) {
      await expect(judge(await makePngClaim(bomb))).rejects.toThrow(TOO_MANY_PIXELS);
    }
  });

  it('keeps concurrent decoding within its memory limit', { tags: ['memories.pictures.14'] }, async () => {
    const image = await makeGradient(5_000, 5_000);
    const bomb = await image.webp({ lossless: true, effort: 0 }).toBuffer();
    expect(bomb.length).toBeLessThan(64_000);
    const { answer, megabytes } = await measureMemory(
      `const judged = [0, 1, 2, 3].map(() => inspectPhoto(paths[0], 'image/webp', ${CONTEXT}));
      return (await Promise.all(judged)).length;`,
      await saved(bomb),
    );
    expect(answer).toBe(4);
    // Each of them takes 100 MB.
    expect(megabytes).toBeLessThan(200);
  });

  it('refuses a JPEG whose header claims more pixels than it has', { tags: ['memories.pictures.8'] }, async () => {
    const jpeg = await makeJpeg({ width: 64, height: 64 });
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    jpeg.writeUInt16BE(8_000, frame + 5);
    jpeg.writeUInt16BE(8_000, frame + 7);
    await expect(judge(jpeg)).rejects.toThrow(BROKEN_PHOTO);
    jpeg.writeUInt16BE(65_000, frame + 5);
    jpeg.writeUInt16BE(65_000, frame + 7);
    await expect(judge(jpeg)).rejects.toThrow(TOO_MANY_PIXELS);
  });

  it('refuses a JPEG with too many scans', { tags: ['memories.pictures.8'] }, async () => {
    const flat = sharp({ create: { width: 500, height: 500, channels: 3, background: '#886655' } });
    const jpeg = await flat.jpeg({ progressive: true }).toBuffer();
    const end = jpeg.length - 2;
    const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), end);
    const bomb = Buffer.concat([
      jpeg.subarray(0, end),
      ...Array.from({ length: 2_000 }, () => scan),
      jpeg.subarray(end),
    ]);
    await expect(judge(bomb)).rejects.toThrow(BROKEN_PHOTO);
  });

  it('blames no photo for a fault of the server', { tags: ['memories.pictures.17'] }, async () => {
    await expect(inspectPhoto(pathOf('gone.jpg'), 'image/jpeg', { zone: 'UTC', now: NOW })).rejects.toThrow('ENOENT');
    const path = await saved(await makeJpeg({ takenAt: '2024:06:15 12:00:00' }));
    const broken = {
      zone: 'UTC',
      get now(): number {
        throw new TypeError('our own mistake');
      },
    };
    await expect(inspectPhoto(path, 'image/jpeg', broken)).rejects.toThrow('our own mistake');
  });

  it('refuses an animation with too many frames', { tags: ['memories.pictures.8'] }, async () => {
    const gif = await makeAnimatedGif({ width: 8, height: 8, frames: 2 });
    const control = Buffer.from([0x21, 0xf9]);
    const second = gif.indexOf(control, gif.indexOf(control) + 2);
    const [frame, end] = [gif.subarray(second, -1), gif.subarray(-1)];
    const many = (count: number) =>
      Buffer.concat([gif.subarray(0, second), ...Array.from({ length: count }, () => frame), end]);
    await expect(judge(many(12_000))).rejects.toThrow(TOO_MANY_FRAMES);
    expect(await judge(many(300))).toMatchObject({ width: 8, height: 8 });
  });

  it('counts the pixels of all frames of an animation', async () => {
    const gif = await makeAnimatedGif({ width: 8, height: 8, frames: 30 });
    await expect(judge(enlargeGif(gif, 4_000))).rejects.toThrow(TOO_MANY_PIXELS);
  });

  it('refuses an animation of too many lines, which takes long to decode however narrow it is', {
    tags: ['memories.pictures.8'],
  }, async () => {
    const long = await makeLongWebp({ width: 1, height: 1_000, frames: 5_001 });
    await expect(judge(long)).rejects.toThrow(TOO_MANY_PIXELS);
  });

  it('never uses the loaders of other formats', { tags: ['memories.pictures.13'] }, async () => {
    const svg = await saved(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'));
    await expect(inspectPhoto(svg, 'image/png', { zone: 'UTC', now: NOW })).rejects.toThrow(BROKEN_PHOTO);
  });
});
