import type { Metadata, Sharp } from 'sharp';
import { decode, isAnimated, readHeader, shrink } from './decode.ts';
import { heldFrames } from './decoding-bytes.ts';
import { readPhotoStructure } from './read-photo-structure.ts';

/** The longer side of each size, in pixels. */
export const THUMBNAIL_SIDE = 320;
const PREVIEW_SIDE = 1600;

/** The frames of an animated WebP's preview are all held in memory. Above this many bytes they are made smaller. */
const MAX_FRAMES_BYTES = 160 * 1024 * 1024;

const FAST = { effort: 2, quality: 80 } as const;
// The upload waits for its thumbnail. This gives as many bytes as FAST in two thirds of the time, and looks the same.
const FASTEST = { effort: 0, quality: 78 } as const;

/**
 * Makes the preview of an inspected photo: WebP, upright, sRGB, without EXIF. An animated photo stays animated.
 * @throws PhotoUnreadable if it has changed since
 */
export async function makePreview(path: string): Promise<Buffer> {
  const file = await readPhotoStructure(path);
  const metadata = await readHeader(file);
  const animated = isAnimated(metadata);
  const side = animated ? animationSide(metadata) : PREVIEW_SIDE;
  return decode({ file, metadata, side, animated }, (read) =>
    read({ animated }, (image) => shrink(image, side, metadata).webp(FAST).toBuffer()),
  );
}

/** The longer side of an animation's preview, in pixels. It shrinks if the frames would take too much memory. */
function animationSide(metadata: Metadata): number {
  const bytes = metadata.format === 'webp' ? heldFrames(metadata, PREVIEW_SIDE, metadata.pages ?? 1) : 0;
  const side = Math.min(PREVIEW_SIDE, Math.max(metadata.width, metadata.pageHeight ?? metadata.height));
  return Math.floor(side * Math.min(1, Math.sqrt(MAX_FRAMES_BYTES / Math.max(1, bytes))));
}

/** Makes a thumbnail again after it was lost. @throws PhotoUnreadable if the photo has changed since its inspection */
export async function makeThumbnail(path: string): Promise<Buffer> {
  const file = await readPhotoStructure(path);
  const metadata = await readHeader(file);
  return decode({ file, metadata, side: THUMBNAIL_SIDE, animated: false }, (read) =>
    read({}, (image) => encodeThumbnail(shrink(image, THUMBNAIL_SIDE, metadata))),
  );
}

/** Encodes an image of a thumbnail's size as WebP. */
export function encodeThumbnail(image: Sharp): Promise<Buffer> {
  return image.webp(FASTEST).toBuffer();
}
