import { rgbaToThumbHash } from 'thumbhash';

/** Raw pixels in rows, as sharp outputs them. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA. */
  readonly channels: number;
}

/**
 * The longer side of the hashed image. A ThumbHash holds at most seven waves per side, so more pixels give the same hash
 * and take ten times as long.
 */
const SIDE = 32;

/** The ThumbHash of an image in Base64. */
export function thumbHashOf(pixels: Pixels): string {
  const scale = Math.min(1, SIDE / Math.max(pixels.width, pixels.height));
  const width = Math.max(1, Math.round(pixels.width * scale));
  const height = Math.max(1, Math.round(pixels.height * scale));
  return Buffer.from(rgbaToThumbHash(width, height, shrink(pixels, width, height))).toString('base64');
}

/** Shrinks to RGBA by averaging blocks. Transparent pixels add no color. */
function shrink(pixels: Pixels, width: number, height: number): Uint8Array {
  const shrunk = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const rows = [edge(y, height, pixels.height), edge(y + 1, height, pixels.height)] as const;
    for (let x = 0; x < width; x += 1) {
      const columns = [edge(x, width, pixels.width), edge(x + 1, width, pixels.width)] as const;
      shrunk.set(meanOf(pixels, rows, columns), (y * width + x) * 4);
    }
  }
  return shrunk;
}

function edge(at: number, of: number, length: number): number {
  return Math.floor((at * length) / of);
}

type Span = readonly [from: number, to: number];

function meanOf({ data, width, channels }: Pixels, rows: Span, columns: Span): readonly number[] {
  const isGray = channels < 3;
  const hasOpacity = channels % 2 === 0;
  let [red, green, blue, opacity] = [0, 0, 0, 0];
  for (let y = rows[0]; y < rows[1]; y += 1) {
    for (let x = columns[0]; x < columns[1]; x += 1) {
      const at = (y * width + x) * channels;
      const weight = hasOpacity ? (data[at + channels - 1] as number) : 255;
      red += (data[at] as number) * weight;
      green += (data[isGray ? at : at + 1] as number) * weight;
      blue += (data[isGray ? at : at + 2] as number) * weight;
      opacity += weight;
    }
  }
  const total = opacity || 1;
  return [red / total, green / total, blue / total, opacity / ((rows[1] - rows[0]) * (columns[1] - columns[0]))];
}
