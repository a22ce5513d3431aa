import type { Metadata, OutputInfo } from 'sharp';
import sharp from 'sharp';
import { invalidField, type Refusal } from '../../../base/refusal.ts';
import { releaseBuffer } from '../../../base/server/files/release-buffer.ts';
import { capturedAt } from '../../capture-time.ts';
import { readExifTexts } from '../../exif-texts.ts';
import { BROKEN_PHOTO, type MediaType, TOO_MANY_FRAMES, TOO_MANY_PIXELS } from '../../rules.ts';
import { isCompleteGif } from './complete-gif.ts';
import { type Decode, decode, isAnimated, PhotoUnreadable, readHeader, shrink } from './decode.ts';
import { bytesToDecode } from './decoding-bytes.ts';
import { encodeThumbnail, THUMBNAIL_SIDE } from './make-photo-variants.ts';
import { type PhotoFile, readPhotoStructure } from './read-photo-structure.ts';
import { thumbHashOf } from './thumb-hash.ts';

const MEGABYTE = 1024 * 1024;
/**
 * A photo that needs more memory to decode is refused. A progressive JPEG of 108 megapixels is just below the limit, and
 * so is a lossless WebP of 130. What cameras write is decoded line by line, which takes little memory at any size.
 */
const MAX_HELD_BYTES = 640 * MEGABYTE;
/** A quarter of an hour at ten frames a second. More frames, however small, take too long to decode. */
const MAX_FRAMES = 10_000;
/** The lines of all frames. More take too long to decode, however narrow: the narrowest takes minutes for 100 million. */
const MAX_LINES = 5_000_000;

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
    const decoding = { file, metadata, side: THUMBNAIL_SIDE, animated: false };
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
    read(options, (image) => shrink(image, THUMBNAIL_SIDE, metadata).raw().toBuffer({ resolveWithObject: true }));
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
  const [thumbnail, thumbHash] = await Promise.all([encodeThumbnail(small.clone()), thumbHashOf(small.clone())]);
  releaseBuffer(data);
  return { thumbnail, thumbHash };
}
