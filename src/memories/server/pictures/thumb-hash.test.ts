import fc from 'fast-check';
import sharp from 'sharp';
import { rgbaToThumbHash, thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash';
import { describe, expect, it } from 'vitest';
import { thumbHashOf } from './thumb-hash.ts';

const read = (hash: string) => Buffer.from(hash, 'base64');

/** The pixels of a picture in which every pixel has these values. */
function plain(width: number, height: number, pixel: readonly number[]) {
  return new Uint8Array(width * height * pixel.length).map((_, at) => pixel[at % pixel.length] as number);
}
const hashOf = (data: Uint8Array, width: number, height: number) =>
  thumbHashOf(sharp(data, { raw: { width, height, channels: (data.length / width / height) as 1 | 2 | 3 | 4 } }));

describe('the ThumbHash of a thumbnail', () => {
  it('looks the same as one made from a hundred pixels a side', async () => {
    const noise = { type: 'gaussian', mean: 120, sigma: 60 } as const;
    const rough = sharp({ create: { width: 6, height: 4, channels: 3, background: '#886644', noise } });
    const picture = sharp(await rough.png().toBuffer()).resize(320, 213, { fit: 'fill', kernel: 'cubic' });
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    const large = await sharp(data, { raw: info }).resize(100, 67).ensureAlpha().raw().toBuffer();

    const mine = thumbHashToRGBA(read(await hashOf(data, info.width, info.height)));
    const full = thumbHashToRGBA(rgbaToThumbHash(100, 67, large));
    expect([mine.w, mine.h]).toEqual([full.w, full.h]);
    const apart = mine.rgba.reduce((sum, value, at) => sum + Math.abs(value - (full.rgba[at] as number)), 0);
    expect(apart / mine.rgba.length).toBeLessThan(6);
  });

  it.each([
    { what: 'grey', pixel: [128], average: [0.5, 0.5, 0.5, 1] },
    { what: 'grey with opacity', pixel: [128, 255], average: [0.5, 0.5, 0.5, 1] },
    { what: 'colour', pixel: [255, 128, 0], average: [1, 0.5, 0, 1] },
    { what: 'colour with opacity', pixel: [255, 128, 0, 255], average: [1, 0.5, 0, 1] },
  ])('keeps $what', async ({ pixel, average }) => {
    const { r, g, b, a } = thumbHashToAverageRGBA(read(await hashOf(plain(64, 48, pixel), 64, 48)));
    for (const [at, value] of [r, g, b, a].entries()) expect(value).toBeCloseTo(average[at] as number, 1);
  });

  it('takes no color from invisible pixels', async () => {
    const half = plain(64, 64, [0, 255, 0, 0]);
    for (let at = 0; at < half.length; at += 8) half.set([255, 0, 0, 255], at);
    const { r, g } = thumbHashToAverageRGBA(read(await hashOf(half, 64, 64)));
    expect(r).toBeGreaterThan(g + 0.5);
  });

  it('can be made from every size', async () => {
    const side = fc.integer({ min: 1, max: 320 });
    await fc.assert(
      fc.asyncProperty(side, side, async (width, height) => {
        expect(read(await hashOf(plain(width, height, [9, 99, 199]), width, height)).length).toBeGreaterThan(4);
      }),
      { numRuns: 50 },
    );
  });
});
