import type { Metadata, OutputInfo, Sharp, SharpOptions } from 'sharp';
import sharp from 'sharp';
import { Refusal, refuseField } from '../../../base/refusal.ts';
import { releaseBuffer } from '../../../base/server/release-buffer.ts';
import { IMAGE_THREADS, lowerPoolPriority } from '../../../base/server/thread-pool.ts';
import { BROKEN_PHOTO, type MediaType, TOO_MANY_FRAMES, TOO_MANY_PIXELS } from '../../rules.ts';
import { captureTime } from './capture-time.ts';
import { decodeMemory, heldFrames } from './decode-memory.ts';
import { DecodeQueue } from './decode-queue.ts';
import { isCompleteGif } from './gif.ts';
import { hasTextBomb } from './png-texts.ts';
import { thumbHashOf } from './thumb-hash.ts';

/** The longer side of each size, in pixels (contract 3). */
const THUMBNAIL = 320;
const PREVIEW = 1600;

/**
 * Phones take up to 200 megapixels; anything larger is a decompression bomb. All frames of an animation count. The header
 * is enough to refuse it, before anything is decoded.
 */
const MAX_PIXELS = 250_000_000;
const MEGABYTE = 1024 * 1024;
/**
 * A photo that needs more memory to decode is refused. A progressive JPEG of 108 megapixels is just below the limit, and
 * so is a lossless WebP of 130. What cameras write is decoded line by line, which takes little memory at any size.
 */
const MAX_HELD_BYTES = 640 * MEGABYTE;
/** All decoding in this process: at most one photo more than cores, and only one large photo at a time. */
const decodeQueue = new DecodeQueue({
  jobs: IMAGE_THREADS,
  bytes: 256 * MEGABYTE,
  largeBytes: 112 * MEGABYTE,
});
/** The frames of an animated WebP's preview are all held in memory. Above this many bytes they are made smaller. */
const MAX_FRAMES_BYTES = 160 * MEGABYTE;
/** A quarter of an hour at ten frames a second. More frames, however small, take too long to decode. */
const MAX_FRAMES = 10_000;
/** The lines of all frames. More take too long to decode, however narrow: the narrowest takes minutes for 100 million. */
const MAX_LINES = 5_000_000;

// 'error' and not 'warning', because some Samsung photos decode with a warning. A truncated file is an error.
const READ = { failOn: 'error', limitInputPixels: MAX_PIXELS } as const satisfies SharpOptions;
const FAST = { effort: 2, quality: 80 } as const;
// The upload waits for its thumbnail. This gives as many bytes as FAST in two thirds of the time, and looks the same.
const FASTEST = { effort: 0, quality: 78 } as const;

// One thread per photo, and several photos at a time: the fastest for many photos, and fast enough for one.
sharp.concurrency(1);
// The pool's threads exist by now: they have read the photograph.
lowerPoolPriority();
// No photo is read twice, so a cache would only take memory.
sharp.cache(false);
// Only the loaders of our four formats may open a file: never the SVG or PDF loader, whatever the file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
});

/** What an inspection found, and the thumbnail it made. */
export interface InspectedPhoto {
  /** Upright, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Capture time in milliseconds UTC, or null if unknown. */
  readonly takenAt: number | null;
  /** Base64. */
  readonly thumbHash: string;
  /** WebP, upright, without EXIF, in sRGB. */
  readonly thumbnail: Buffer;
}

interface InspectionEvents {
  /** The header passed its checks, and decoding started in another thread. */
  readonly onStart?: () => void;
  /** The whole photo is decoded. Its file is no longer read. */
  readonly onDecoded?: () => void;
}

/**
 * Decodes a whole photo, and makes its thumbnail from the same pass.
 * @param type the type that its first bytes name
 * @param zone the couple's IANA zone, for a photo without an offset
 * @throws Refusal 400 if it is broken, or takes too much memory or time to decode
 */
export async function inspectPhoto(
  path: string,
  type: MediaType,
  zone: string,
  events: InspectionEvents = {},
): Promise<InspectedPhoto> {
  try {
    if (type === 'image/png' && (await hasTextBomb(path))) throw refuseField('ImageFile', BROKEN_PHOTO);
    const metadata = await sharp(path, READ).metadata();
    const { pages = 1 } = metadata;
    if (pages > MAX_FRAMES) throw refuseField('ImageFile', TOO_MANY_FRAMES);
    if (pages * metadata.height > MAX_LINES) throw refuseField('ImageFile', TOO_MANY_PIXELS);
    const bytes = await decodeMemory(path, { metadata, side: THUMBNAIL, animated: false });
    if (bytes > MAX_HELD_BYTES) throw refuseField('ImageFile', TOO_MANY_PIXELS);
    const small = await decodeQueue.run(bytes, () => decodeWhole(path, { metadata, type, events }));
    const { width, height } = isAnimated(metadata) ? metadata : metadata.autoOrient;
    return { width, height, takenAt: captureTime(metadata.exif, zone), ...(await describeSmall(small)) };
  } catch (error) {
    throw toRefusal(error);
  }
}

interface Inspection {
  readonly metadata: Metadata;
  readonly type: MediaType;
  readonly events: InspectionEvents;
}

/** Decodes a whole photo in the decode queue. Returns it upright in thumbnail size. */
async function decodeWhole(path: string, { metadata, type, events }: Inspection): Promise<Raw> {
  const decoding = (async () => {
    if (isAnimated(metadata)) await decodeFrames(path);
    if (type === 'image/gif' && !(await isCompleteGif(path))) throw new Error('The animation is truncated');
    return decodeThumbnail(path, metadata);
  })();
  events.onStart?.();
  const small = await decoding;
  events.onDecoded?.();
  return small;
}

/** Encodes and hashes a thumbnail. It is so small that it takes no place in the decode queue. */
async function describeSmall(small: Raw): Promise<Pick<InspectedPhoto, 'thumbnail' | 'thumbHash'>> {
  const encoding = fromRaw(small).webp(FASTEST).toBuffer();
  const thumbHash = thumbHashOf({ data: small.data, ...small.info });
  const thumbnail = await encoding;
  releaseBuffer(small.data);
  return { thumbnail, thumbHash };
}

/** Makes the preview of an inspected photo: WebP, upright, sRGB, without EXIF. An animated photo stays animated. */
export async function makePreview(path: string): Promise<Buffer> {
  const metadata = await sharp(path, READ).metadata();
  const animated = isAnimated(metadata);
  const side = animated ? animationSide(metadata) : PREVIEW;
  return decodeQueue.run(await decodeMemory(path, { metadata, side, animated }), () =>
    shrink(sharp(path, { ...READ, animated }), side, metadata)
      .webp(FAST)
      .toBuffer(),
  );
}

/** The longer side of an animation's preview, in pixels. It shrinks if the frames would take too much memory. */
function animationSide(metadata: Metadata): number {
  const bytes = metadata.format === 'webp' ? heldFrames(metadata, PREVIEW, metadata.pages ?? 1) : 0;
  const side = Math.min(PREVIEW, Math.max(metadata.width, metadata.pageHeight ?? metadata.height));
  return Math.floor(side * Math.min(1, Math.sqrt(MAX_FRAMES_BYTES / Math.max(1, bytes))));
}

/** Makes a thumbnail again after it was lost. */
export async function makeThumbnail(path: string): Promise<Buffer> {
  const metadata = await sharp(path, READ).metadata();
  return decodeQueue.run(await decodeMemory(path, { metadata, side: THUMBNAIL, animated: false }), () =>
    shrink(sharp(path, READ), THUMBNAIL, metadata).webp(FASTEST).toBuffer(),
  );
}

interface Raw {
  readonly data: Buffer;
  readonly info: OutputInfo;
}

function isAnimated({ pages = 1 }: Metadata): boolean {
  return pages > 1;
}

/** Shrinks to sRGB, then rotates upright: rotating the small image is much faster, and takes less memory. */
function shrink(image: Sharp, side: number, metadata: Metadata): Sharp {
  const small = image.resize(side, side, { fit: 'inside', withoutEnlargement: true }).toColourspace('srgb');
  // No camera writes an animation, so none is rotated.
  const turn = isAnimated(metadata) ? undefined : TURNS[metadata.orientation ?? 1];
  return turn === undefined ? small : turn(small);
}

/**
 * Decodes to thumbnail size, and throws if the file is truncated. The decoder only warns about a JPEG that ends too early
 * with an end marker, and also about harmless oddities that some phones write, so the warning's text decides.
 */
async function decodeThumbnail(path: string, metadata: Metadata): Promise<Raw> {
  const decode = (failOn: SharpOptions['failOn']) =>
    shrink(sharp(path, { ...READ, failOn }), THUMBNAIL, metadata)
      .raw()
      .toBuffer({ resolveWithObject: true });
  try {
    return await decode('warning');
  } catch (error) {
    if (error instanceof Error && /premature end/i.test(error.message)) throw error;
    return decode(READ.failOn);
  }
}

/**
 * Decodes every frame to check that all of them are there. Each leaves one pixel, because the output holds all frames:
 * a width alone would enlarge a narrow, tall frame to hundreds of megabytes.
 */
async function decodeFrames(path: string): Promise<void> {
  await sharp(path, { ...READ, animated: true })
    .resize(1, 1, { fit: 'fill' })
    .raw()
    .toBuffer();
}

function fromRaw({ data, info: { width, height, channels } }: Raw): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

/** How to rotate EXIF's orientations 2 to 8 upright. sharp mirrors before it rotates. */
const TURNS: Readonly<Record<number, (image: Sharp) => Sharp>> = {
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: (image) => image.flop().rotate(270),
  6: (image) => image.rotate(90),
  7: (image) => image.flop().rotate(90),
  8: (image) => image.rotate(270),
};

/** Turns a decoder error into a Refusal. Other errors (they have a `code`, as a missing file does) stay as they are. */
function toRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal || 'code' in error) return error;
  return refuseField('ImageFile', /pixel limit/i.test(error.message) ? TOO_MANY_PIXELS : BROKEN_PHOTO);
}
