import { rgbaToThumbHash } from 'thumbhash';

/** Pixels in rows, as sharp hands them over. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** 1 grey, 2 grey and opacity, 3 red, green and blue, 4 these and opacity. */
  readonly channels: number;
}

/**
 * The longer side of what is hashed. A ThumbHash holds seven waves a side at most: more pixels give the same one, and
 * take ten times as long.
 */
const SIDE = 32;

/** A picture's ThumbHash, in Base64. */
export function thumbHashOf(pixels: Pixels): string {
  const scale = Math.min(1, SIDE / Math.max(pixels.width, pixels.height));
  const width = Math.max(1, Math.round(pixels.width * scale));
  const height = Math.max(1, Math.round(pixels.height * scale));
  return Buffer.from(rgbaToThumbHash(width, height, shrink(pixels, width, height))).toString('base64');
}

/** Each pixel the mean of a block, in four channels; what can't be seen gives no colour. */
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
  const isGrey = channels < 3;
  const hasOpacity = channels % 2 === 0;
  let [red, green, blue, opacity] = [0, 0, 0, 0];
  for (let y = rows[0]; y < rows[1]; y += 1) {
    for (let x = columns[0]; x < columns[1]; x += 1) {
      const at = (y * width + x) * channels;
      const weight = hasOpacity ? (data[at + channels - 1] as number) : 255;
      red += (data[at] as number) * weight;
      green += (data[isGrey ? at : at + 1] as number) * weight;
      blue += (data[isGrey ? at : at + 2] as number) * weight;
      opacity += weight;
    }
  }
  const seen = opacity || 1;
  return [red / seen, green / seen, blue / seen, opacity / ((rows[1] - rows[0]) * (columns[1] - columns[0]))];
}
