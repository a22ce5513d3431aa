import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Metadata } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAnimatedGif, makeGradient, makeLongWebp } from '../../../../tests/support/images.ts';
import { measureMemory } from '../../../../tests/support/measure-memory.ts';
import { heldFrames } from './decoding-bytes.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'our-love-story-decode-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The tolerated difference between two runs, in megabytes. */
const NOISE = 24;

async function measure(bytes: Buffer, side: number): Promise<{ judged: number; taken: number }> {
  const path = join(folder, 'picture');
  await writeFile(path, bytes);
  const { answer, megabytes } = await measureMemory(
    `const metadata = await sharp(paths[0]).metadata();
    const animated = ${side} > 320 && metadata.pages > 1;
    const file = await readPhotoStructure(paths[0]);
    const bytes = bytesToDecode({ file, metadata, side: ${side}, animated });
    if (${side} > 320) await makePreview(paths[0]);
    else await inspectPhoto(paths[0], 'image/' + metadata.format, { zone: 'UTC', now: Date.now() });
    return bytes / 1024 / 1024;`,
    path,
  );
  return { judged: answer as number, taken: megabytes };
}

describe('the estimate of decoding memory', () => {
  it.each([
    ['a baseline JPEG', () => makeGradient(4000, 3000).then((image) => image.jpeg().toBuffer())],
    [
      'a progressive JPEG',
      () =>
        makeGradient(4000, 3000).then((image) =>
          image.jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
        ),
    ],
    ['a PNG', () => makeGradient(4000, 3000).then((image) => image.png().toBuffer())],
    [
      'an interlaced PNG of 16 bits',
      () =>
        makeGradient(4000, 3000).then((image) =>
          image.ensureAlpha().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
        ),
    ],
    [
      'a very wide PNG',
      () => makeGradient(100_000, 100).then((image) => image.ensureAlpha().toColourspace('rgb16').png().toBuffer()),
    ],
    ['a GIF', () => makeGradient(4000, 3000).then((image) => image.gif({ effort: 1 }).toBuffer())],
    ['a lossy WebP', () => makeGradient(4000, 3000).then((image) => image.webp({ effort: 0 }).toBuffer())],
    [
      'a lossless WebP',
      () => makeGradient(4000, 3000).then((image) => image.webp({ lossless: true, effort: 0 }).toBuffer()),
    ],
  ])(
    'is made before decoding, and is not too low: %s',
    { tags: ['memories.pictures.7'], timeout: 240_000 },
    async (_, make) => {
      const bytes = await make();
      for (const side of [320, 1600]) {
        const { judged, taken } = await measure(bytes, side);
        expect(taken).toBeLessThan(judged + NOISE);
        // Not so high that ordinary photographs would wait for each other.
        expect(judged).toBeLessThan(2.5 * taken + NOISE);
      }
    },
  );

  it('is bounded for an animation’s preview, whatever its number of frames', { timeout: 240_000 }, async () => {
    const { judged, taken } = await measure(await makeLongWebp({ width: 800, height: 600, frames: 200 }), 1600);
    // All of its frames would take 384 MB at 800 × 600.
    expect(judged).toBeGreaterThan(384);
    expect(taken).toBeLessThan(300);
  });

  // Small files that would take hundreds of megabytes if a check enlarged their frames, or held all of them.
  it.each([
    ['a narrow, tall GIF', () => makeAnimatedGif({ width: 1, height: 65_535, frames: 9 })],
    ['a narrow, tall WebP', () => makeLongWebp({ width: 1, height: 400, frames: 1_500 })],
    ['a WebP of thousands of frames', () => makeLongWebp({ width: 40, height: 40, frames: 9_999 })],
  ])('covers the check of all frames: %s', { tags: ['memories.pictures.8'], timeout: 240_000 }, async (_, make) => {
    const { judged, taken } = await measure(await make(), 320);
    expect(taken).toBeLessThan(judged + NOISE);
  });

  it('counts no pixel of a narrow picture as less than one', { tags: ['memories.pictures.8'] }, () => {
    const metadata = { width: 1, height: 16_000, pages: 100 } as Metadata;
    expect(heldFrames(metadata, 1600, 100)).toBe(4 * 1600 * 100);
  });

  it('is as low for a large lossy WebP as for a JPEG', async () => {
    const path = join(folder, 'large.webp');
    await writeFile(
      path,
      await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
        .webp()
        .toBuffer(),
    );
    const { answer } = await measureMemory(
      `const metadata = { ...(await sharp(paths[0]).metadata()), width: 16_000, height: 12_000 };
      const file = await readPhotoStructure(paths[0]);
      return bytesToDecode({ file, metadata, side: 320, animated: false }) / 1024 / 1024;`,
      path,
    );
    expect(answer).toBeLessThan(112);
  });
});
