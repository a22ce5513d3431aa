import { open } from 'node:fs/promises';
import type { Metadata } from 'sharp';

const MEGABYTE = 1024 * 1024;
/** What any picture takes, in bytes. */
const BASE = 8 * MEGABYTE;
/**
 * A picture decoded line by line is held in strips, as many lines as its height gives and no more than this, counted in
 * lines as they are stored. Measured with pictures from 100 × 1,000,000 to 1,000,000 × 100 pixels, 8 and 16 bit.
 */
const STRIP_LINES = 2_048;
const STRIP_COPIES = 3.5;
/** Bytes a pixel of what is made: turned, then encoded. */
const OUTPUT_BYTES = 12;
/** The encoder of animations keeps several canvases. */
const ANIMATION_BYTES = 40;
/** Bytes a pixel of a frame in the decoder: a WebP, lossy or else; a GIF's canvas and the one before it. */
const LOSSY_WEBP_BYTES = 0.25;
const WEBP_BYTES = 5;
const GIF_BYTES = 8;
/** A progressive JPEG is held as coefficients of two bytes. */
const COEFFICIENT_BYTES = 2;

/** A picture's header, and what its decoder makes of it. */
export interface Decoding {
  readonly metadata: Metadata;
  /** The longer side of what is made, in pixels. */
  readonly side: number;
  /** Whether all frames of an animation are made. */
  readonly animated: boolean;
}

/**
 * How many bytes of memory decoding a picture takes at most, judged by its header alone; a few of its chunks are read
 * where it is a WebP, whose header does not tell whether it is lossless.
 */
export async function decodeMemory(path: string, decoding: Decoding): Promise<number> {
  const isLossy = decoding.metadata.format === 'webp' && (await isPlainLossyWebp(path));
  return BASE + ofDecoder(decoding, isLossy) + ofStrips(decoding) + ofOutput(decoding);
}

/** The size of a frame made with this longer side, in pixels. */
export function madePixels({ width, height, pageHeight = height }: Metadata, side: number): number {
  const shrink = Math.max(1, Math.max(width, pageHeight) / side);
  return (width / shrink) * (pageHeight / shrink);
}

/** What the decoder itself holds: a whole frame where it can't go line by line. */
function ofDecoder({ metadata, side, animated }: Decoding, isLossyWebp: boolean): number {
  const { format, isProgressive, width, height, pageHeight = height, pages = 1 } = metadata;
  const pixels = width * pageHeight;
  // All frames made of an animated WebP are held, until the last of them is encoded.
  if (format === 'webp') {
    return (isLossyWebp ? LOSSY_WEBP_BYTES : WEBP_BYTES) * pixels + heldFrames(metadata, side, animated ? pages : 1);
  }
  if (format === 'gif') return GIF_BYTES * pixels;
  if (!isProgressive) return 0;
  return pixels * (format === 'jpeg' ? COEFFICIENT_BYTES * metadata.channels : storedBytes(metadata));
}

/** The bytes of the frames that are made of an animated WebP. */
export function heldFrames(metadata: Metadata, side: number, pages: number): number {
  return 4 * pages * madePixels(metadata, side);
}

function ofStrips({ metadata, side }: Decoding): number {
  const { format, width, height, pages = 1 } = metadata;
  // It is made small by the decoder.
  if (format === 'webp') return 0;
  const lines = Math.min(STRIP_COPIES * height * pages, STRIP_LINES);
  return (width * storedBytes(metadata) * lines) / (format === 'jpeg' ? jpegShrink(metadata, side) : 1);
}

function ofOutput({ metadata, side, animated }: Decoding): number {
  return madePixels(metadata, side) * (animated ? OUTPUT_BYTES + ANIMATION_BYTES : OUTPUT_BYTES);
}

/** By how much the decoder of JPEG makes it smaller while it reads: 1, 2, 4 or 8. */
function jpegShrink({ width, height }: Metadata, side: number): number {
  const shrink = Math.max(width, height) / side;
  return [8, 4, 2].find((factor) => shrink > factor) ?? 1;
}

/** Bytes a pixel, as the decoder gives them. */
function storedBytes({ channels, depth }: Metadata): number {
  return channels * (depth === 'uchar' ? 1 : 2);
}

/** More chunks before the picture are a file made to be slow. */
const MAX_CHUNKS = 32;

/** Whether a WebP is a still, lossy picture without transparency: the one kind that is decoded line by line. */
async function isPlainLossyWebp(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(8);
    let at = 12;
    for (let count = 0; count < MAX_CHUNKS; count += 1) {
      const { bytesRead } = await file.read(head, 0, head.length, at);
      const name = head.toString('latin1', 0, 4);
      if (bytesRead < head.length || ['VP8L', 'ALPH', 'ANMF'].includes(name)) return false;
      if (name === 'VP8 ') return true;
      const size = head.readUInt32LE(4);
      at += head.length + size + (size % 2);
    }
    return false;
  } finally {
    await file.close();
  }
}
