import type { Metadata } from 'sharp';
import { heldBytes, type PhotoFile } from './read-photo-structure.ts';

const MEGABYTE = 1024 * 1024;
/** What any image takes, in bytes. It covers the check of all frames, of which one pixel each is held. */
const BASE = 8 * MEGABYTE;
/**
 * An image that is decoded line by line is held in strips of at most this many stored lines. Measured with images from
 * 100 × 1,000,000 to 1,000,000 × 100 pixels, with 8 and 16 bits.
 */
const STRIP_LINES = 2_048;
const STRIP_COPIES = 3.5;
/** Bytes per output pixel, to rotate and encode it. */
const OUTPUT_BYTES = 12;
/** Further bytes per output pixel of an animation, whose encoder keeps several canvases. */
const ANIMATION_BYTES = 40;
/** Bytes per pixel of a frame in the decoder: lossy WebP, other WebP, and a GIF's current and previous canvas. */
const LOSSY_WEBP_BYTES = 0.25;
const WEBP_BYTES = 5;
const GIF_BYTES = 8;
/** A progressive JPEG, and one with a scan for each color, is held as two-byte coefficients. */
const COEFFICIENT_BYTES = 2;

/** What the library keeps of the metadata that it parses, in all its copies. */
const METADATA_BYTES = 8 * MEGABYTE;

/** A photograph, its header, and the wanted output. */
export interface Decoding {
  readonly file: PhotoFile;
  readonly metadata: Metadata;
  /** The longer side of the output, in pixels. */
  readonly side: number;
  /** Whether the output has all frames of an animation. */
  readonly animated: boolean;
}

/** Estimates the most memory, in bytes, that reading the header takes. */
export function bytesToReadHeader(file: PhotoFile): number {
  return BASE + METADATA_BYTES + heldBytes(file, true);
}

/** Estimates the most memory, in bytes, that decoding takes, from the header only. */
export function bytesToDecode(decoding: Decoding): number {
  return BASE + ofDecoder(decoding) + ofStrips(decoding) + ofOutput(decoding) + heldBytes(decoding.file, true);
}

/** The pixels of one output frame with this longer side. The shorter one is at least one pixel. */
export function outputPixels({ width, height, pageHeight = height }: Metadata, side: number): number {
  const shrink = Math.max(1, Math.max(width, pageHeight) / side);
  return Math.max(1, width / shrink) * Math.max(1, pageHeight / shrink);
}

/** What the decoder holds: a whole frame, unless it decodes line by line. */
function ofDecoder({ file, metadata, side, animated }: Decoding): number {
  const { format, isProgressive, width, height, pageHeight = height, pages = 1, channels } = metadata;
  const pixels = width * pageHeight;
  // All output frames of an animated WebP are held until the last one is encoded.
  if (format === 'webp') {
    return (
      (file.isPlainLossy ? LOSSY_WEBP_BYTES : WEBP_BYTES) * pixels + heldFrames(metadata, side, animated ? pages : 1)
    );
  }
  if (format === 'gif') return GIF_BYTES * pixels;
  // The decoder also keeps the metadata between the scans.
  if (format === 'jpeg') {
    return isProgressive || file.scanColors < channels ? pixels * COEFFICIENT_BYTES * channels + file.bytes : 0;
  }
  return isProgressive ? pixels * storedBytes(metadata) : 0;
}

/** The bytes of all output frames of an animated WebP. */
export function heldFrames(metadata: Metadata, side: number, pages: number): number {
  return 4 * pages * outputPixels(metadata, side);
}

function ofStrips({ metadata, side }: Decoding): number {
  const { format, width, height, pages = 1 } = metadata;
  // The WebP decoder shrinks while it decodes.
  if (format === 'webp') return 0;
  const lines = Math.min(STRIP_COPIES * height * pages, STRIP_LINES);
  return (width * storedBytes(metadata) * lines) / (format === 'jpeg' ? jpegShrink(metadata, side) : 1);
}

function ofOutput({ metadata, side, animated }: Decoding): number {
  return outputPixels(metadata, side) * (animated ? OUTPUT_BYTES + ANIMATION_BYTES : OUTPUT_BYTES);
}

/** The factor by which the JPEG decoder shrinks while it decodes: 1, 2, 4 or 8. */
function jpegShrink({ width, height }: Metadata, side: number): number {
  const shrink = Math.max(width, height) / side;
  return [8, 4, 2].find((factor) => shrink > factor) ?? 1;
}

/** Bytes per pixel in the decoder's output. */
function storedBytes({ channels, depth }: Metadata): number {
  return channels * (depth === 'uchar' ? 1 : 2);
}
