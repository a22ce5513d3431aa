import type { Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';

/**
 * The longer side of the hashed image. A ThumbHash holds at most seven waves per side, so more pixels give the same hash
 * and take ten times as long.
 */
const SIDE = 32;

/** The ThumbHash of a small image in Base64. Transparent pixels add no color. */
export async function thumbHashOf(image: Sharp): Promise<string> {
  const { data, info } = await image
    .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
