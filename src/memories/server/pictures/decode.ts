import type { Metadata, Sharp, SharpOptions } from 'sharp';
import sharp from 'sharp';
import { IMAGE_THREADS, lowerPoolPriority } from '../../../base/server/process/thread-pool.ts';
import { DecodeQueue } from './decode-queue.ts';
import { bytesToDecode, bytesToReadHeader, type Decoding } from './decoding-bytes.ts';
import { heldBytes, type PhotoFile, sourceOf } from './read-photo-structure.ts';

/**
 * Phones take up to 200 megapixels; anything larger is a decompression bomb. All frames of an animation count. The header
 * is enough to refuse it, before anything is decoded.
 */
const MAX_PIXELS = 250_000_000;
const MEGABYTE = 1024 * 1024;
/** All reading and decoding in this process: at most one photo more than cores, and only one large photo at a time. */
const decodeQueue = new DecodeQueue({
  jobs: IMAGE_THREADS,
  bytes: 256 * MEGABYTE,
  largeBytes: 112 * MEGABYTE,
});

// 'error' and not 'warning', because some Samsung photos decode with a warning. A truncated file is an error.
const READ = { failOn: 'error', limitInputPixels: MAX_PIXELS } as const satisfies SharpOptions;

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

/** The image library cannot read a photograph. */
export class PhotoUnreadable extends Error {
  /** Whether it has more pixels than a photograph may have. */
  readonly isTooLarge: boolean;
  /** Whether its file ends before its end marker. */
  readonly isCutOff: boolean;
  /** Whether picture data is missing, although an end marker may be there. */
  readonly lacksData: boolean;

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.isTooLarge = /pixel limit/i.test(cause.message);
    this.isCutOff = /premature end of JPEG/i.test(cause.message);
    this.lacksData = /premature end|found marker 0xd9/i.test(cause.message);
  }
}

/** Runs sharp, whose errors all mean that it cannot read the photograph. */
function readable<T>(running: Promise<T>): Promise<T> {
  return running.catch((error: unknown) => {
    throw new PhotoUnreadable(error instanceof Error ? error : new Error(String(error)));
  });
}

/** Reads a photograph's header. @throws PhotoUnreadable */
export function readHeader(file: PhotoFile): Promise<Metadata> {
  return decodeQueue.run(bytesToReadHeader(file), async () =>
    readable(sharp(await sourceOf(file, true), READ).metadata()),
  );
}

/** Reads pixels of a photograph. */
export type Decode = <T>(options: SharpOptions, run: (image: Sharp) => Promise<T>) => Promise<T>;

/**
 * Decodes a photograph as soon as there is memory for it. A JPEG that ends without its end marker is decoded again with
 * one: then it shows whether picture data is missing too.
 * @throws PhotoUnreadable, and what `work` throws
 */
export async function decode<T>(decoding: Decoding, work: (decode: Decode) => Promise<T>): Promise<T> {
  const { file } = decoding;
  const bytes = bytesToDecode(decoding);
  const run = async (isEnded: boolean) => {
    const source = await sourceOf(file, isEnded);
    return work((options, process) => readable(process(sharp(source, { ...READ, ...options }))));
  };
  try {
    return await decodeQueue.run(bytes, () => run(true));
  } catch (error) {
    if (!(error instanceof PhotoUnreadable && error.isCutOff)) throw error;
    return decodeQueue.run(bytes + heldBytes(file, false), () => run(false));
  }
}

/** Shrinks to sRGB, then rotates upright: rotating the small image is much faster, and takes less memory. */
export function shrink(image: Sharp, side: number, metadata: Metadata): Sharp {
  const small = image.resize(side, side, { fit: 'inside', withoutEnlargement: true }).toColourspace('srgb');
  // No camera writes an animation, so none is rotated.
  const turn = isAnimated(metadata) ? undefined : TURNS[metadata.orientation ?? 1];
  return turn === undefined ? small : turn(small);
}

export function isAnimated({ pages = 1 }: Metadata): boolean {
  return pages > 1;
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
