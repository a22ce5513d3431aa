import type { Metadata, OutputInfo } from 'sharp';
import sharp from 'sharp';
import { invalidField, type Refusal } from '../../../base/refusal.ts';
import { releaseBuffer } from '../../../base/server/files/release-buffer.ts';
import { capturedAt } from '../../capture-time.ts';
import { readExifTexts } from '../../exif-texts.ts';
import { BROKEN_PHOTO, type MediaType, TOO_MANY_FRAMES, TOO_MANY_PIXELS } from '../../rules.ts';
import { isCompleteGif } from './complete-gif.ts';
import { type Decode, decode, isAnimated, PhotoUnreadable, readHeader, shrink } from './decoder.ts';
import { bytesToDecode, heldFrames } from './decoding-bytes.ts';
import { type PhotoFile, readPhotoStructure } from './photo-file.ts';
import { thumbHashOf } from './thumb-hash.ts';

/** The longer side of each size, in pixels. */
const THUMBNAIL = 320;
const PREVIEW = 1600;

const MEGABYTE = 1024 * 1024;
/**
 * A photo that needs more memory to decode is refused. A progressive JPEG of 108 megapixels is just below the limit, and
 * so is a lossless WebP of 130. What cameras write is decoded line by line, which takes little memory at any size.
 */
const MAX_HELD_BYTES = 640 * MEGABYTE;
/** The frames of an animated WebP's preview are all held in memory. Above this many bytes they are made smaller. */
const MAX_FRAMES_BYTES = 160 * MEGABYTE;
/** A quarter of an hour at ten frames a second. More frames, however small, take too long to decode. */
const MAX_FRAMES = 10_000;
/** The lines of all frames. More take too long to decode, however narrow: the narrowest takes minutes for 100 million. */
const MAX_LINES = 5_000_000;

const FAST = { effort: 2, quality: 80 } as const;
// The upload waits for its thumbnail. This gives as many bytes as FAST in two thirds of the time, and looks the same.
const FASTEST = { effort: 0, quality: 78 } as const;

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

/** What the capture time of a photo depends on besides the photo. */
interface CaptureContext {
  /** The couple's IANA zone, for a photo without an offset. */
  readonly zone: string;
  readonly now: number;
}

/**
 * Decodes a whole photo, and makes its thumbnail from the same pass.
 * @param type the type that its first bytes name
 * @throws Refusal 400 if it is broken, or takes too much memory or time to decode
 */
export async function inspectPhoto(path: string, type: MediaType, context: CaptureContext): Promise<InspectedPhoto> {
  const file = await readPhotoStructure(path);
  try {
    const metadata = await readHeader(file);
    const { pages = 1 } = metadata;
    if (pages > MAX_FRAMES) throw invalidField('ImageFile', TOO_MANY_FRAMES);
    if (pages * metadata.height > MAX_LINES) throw invalidField('ImageFile', TOO_MANY_PIXELS);
    const decoding = { file, metadata, side: THUMBNAIL, animated: false };
    if (bytesToDecode(decoding) > MAX_HELD_BYTES) throw invalidField('ImageFile', TOO_MANY_PIXELS);
    if (type === 'image/gif' && !(await isCompleteGif(path))) throw invalidField('ImageFile', BROKEN_PHOTO);
    const small = await decode(decoding, (read) => decodeWhole(read, metadata));
    const { width, height } = isAnimated(metadata) ? metadata : metadata.autoOrient;
    return { width, height, takenAt: takenAt(file, context), ...(await describeSmall(small)) };
  } catch (error) {
    throw error instanceof PhotoUnreadable ? refusalOf(error) : error;
  }
}

function takenAt({ exif }: PhotoFile, context: CaptureContext): number | null {
  return exif === null
    ? null
    : capturedAt(readExifTexts(new DataView(exif.buffer, exif.byteOffset, exif.length)), context);
}

function refusalOf({ isTooLarge }: PhotoUnreadable): Refusal {
  return invalidField('ImageFile', isTooLarge ? TOO_MANY_PIXELS : BROKEN_PHOTO);
}

interface Raw {
  readonly data: Buffer;
  readonly info: OutputInfo;
}

/** Decodes a whole photo. Returns it upright in thumbnail size. */
async function decodeWhole(read: Decode, metadata: Metadata): Promise<Raw> {
  // Each frame leaves one pixel, because the output holds all frames: a width alone would enlarge a narrow, tall frame to
  // hundreds of megabytes.
  if (isAnimated(metadata)) {
    await read({ animated: true }, (image) => image.resize(1, 1, { fit: 'fill' }).raw().toBuffer());
  }
  const decodeThumbnail = (options: Parameters<Decode>[0]) =>
    read(options, (image) => shrink(image, THUMBNAIL, metadata).raw().toBuffer({ resolveWithObject: true }));
  try {
    return await decodeThumbnail({ failOn: 'warning' });
  } catch (error) {
    // The decoder only warns about a JPEG that ends too early with an end marker, and also about harmless oddities that
    // some phones write.
    if (error instanceof PhotoUnreadable && !error.lacksData) return decodeThumbnail({});
    throw error;
  }
}

/** Encodes and hashes a thumbnail. It is so small that it takes no place in the decode queue. */
async function describeSmall({ data, info }: Raw): Promise<Pick<InspectedPhoto, 'thumbnail' | 'thumbHash'>> {
  const { width, height, channels } = info;
  const small = sharp(data, { raw: { width, height, channels } });
  const [thumbnail, thumbHash] = await Promise.all([
    small.clone().webp(FASTEST).toBuffer(),
    thumbHashOf(small.clone()),
  ]);
  releaseBuffer(data);
  return { thumbnail, thumbHash };
}

/**
 * Makes the preview of an inspected photo: WebP, upright, sRGB, without EXIF. An animated photo stays animated.
 * @throws PhotoUnreadable if it has changed since
 */
export async function makePreview(path: string): Promise<Buffer> {
  const file = await readPhotoStructure(path);
  const metadata = await readHeader(file);
  const animated = isAnimated(metadata);
  const side = animated ? animationSide(metadata) : PREVIEW;
  return decode({ file, metadata, side, animated }, (read) =>
    read({ animated }, (image) => shrink(image, side, metadata).webp(FAST).toBuffer()),
  );
}

/** The longer side of an animation's preview, in pixels. It shrinks if the frames would take too much memory. */
function animationSide(metadata: Metadata): number {
  const bytes = metadata.format === 'webp' ? heldFrames(metadata, PREVIEW, metadata.pages ?? 1) : 0;
  const side = Math.min(PREVIEW, Math.max(metadata.width, metadata.pageHeight ?? metadata.height));
  return Math.floor(side * Math.min(1, Math.sqrt(MAX_FRAMES_BYTES / Math.max(1, bytes))));
}

/** Makes a thumbnail again after it was lost. @throws PhotoUnreadable if the photo has changed since its inspection */
export async function makeThumbnail(path: string): Promise<Buffer> {
  const file = await readPhotoStructure(path);
  const metadata = await readHeader(file);
  return decode({ file, metadata, side: THUMBNAIL, animated: false }, (read) =>
    read({}, (image) => shrink(image, THUMBNAIL, metadata).webp(FASTEST).toBuffer()),
  );
}
