import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** What a phone writes into a photograph. */
export interface Exif {
  /** 1 to 8, as EXIF numbers them: 6 means that it is to be turned clockwise by 90° to stand upright. */
  readonly orientation?: number;
  /** Degrees; south and west are negative. */
  readonly gps?: { readonly latitude: number; readonly longitude: number };
  /** Local time as EXIF has it: '2026:11:20 19:30:00'. */
  readonly takenAt?: string;
  /** Its offset from UTC: '+02:00'. Many cameras leave it out. */
  readonly offset?: string;
}

export interface ImageOptions extends Exif {
  /** In pixels as stored, before the orientation turns them. */
  readonly width?: number;
  readonly height?: number;
  /** Another seed is another picture, and other bytes. */
  readonly seed?: number;
  /** How strong the grain is, in steps of brightness: more makes a larger file. A power of two. */
  readonly grain?: number;
}

/** A JPEG as a camera writes it: smooth areas, some grain, EXIF where asked for. */
export function makeJpeg({
  width = 640,
  height = 480,
  seed = 1,
  grain = 8,
  ...exif
}: ImageOptions = {}): Promise<Buffer> {
  return withExif(picture(width, height, seed, grain), exif)
    .jpeg({ quality: 85 })
    .toBuffer();
}

export function makePng({ width = 320, height = 240, seed = 1 }: ImageOptions = {}): Promise<Buffer> {
  return picture(width, height, seed).png().toBuffer();
}

export function makeWebp({ width = 320, height = 240, seed = 1, ...exif }: ImageOptions = {}): Promise<Buffer> {
  return withExif(picture(width, height, seed), exif)
    .webp({ quality: 80 })
    .toBuffer();
}

/** A GIF that moves: so many pictures, a tenth of a second each, for ever. */
export function makeAnimatedGif(options: ImageOptions & { frames?: number } = {}): Promise<Buffer> {
  return animation(options).then((frames) => frames.gif({ delay: 100, loop: 0 }).toBuffer());
}

/** A WebP that moves. */
export function makeAnimatedWebp(options: ImageOptions & { frames?: number } = {}): Promise<Buffer> {
  return animation(options).then((frames) => frames.webp({ delay: 100, loop: 0, quality: 70 }).toBuffer());
}

/** The first half of a JPEG: its header is whole, its picture is not. */
export async function makeHalfJpeg(options: ImageOptions = {}): Promise<Buffer> {
  const whole = await makeJpeg(options);
  return whole.subarray(0, Math.floor(whole.length / 2));
}

/** What the header of a PNG may claim. */
export interface PngClaim {
  readonly width: number;
  readonly height: number;
  /** Bits of each channel. */
  readonly depth?: 8 | 16;
  readonly interlaced?: boolean;
}

/** A small PNG file with red, green, blue and alpha, whose header claims what it does not hold. */
export async function makePngClaim({ width, height, depth = 8, interlaced = false }: PngClaim): Promise<Buffer> {
  const png = await makePng({ width: 8, height: 8 });
  // The header's fields, and the checksum over it, stand at fixed places.
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.set([depth, 6, 0, 0, interlaced ? 1 : 0], 24);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** A small file which claims to be 30,000 by 30,000 pixels. */
export function makePixelBomb(): Promise<Buffer> {
  return makePngClaim({ width: 30_000, height: 30_000 });
}

/**
 * A picture of many colours that packs well: each line is the same. A lossless WebP of 25 megapixels is 30 KB, and its
 * decoder holds all of it.
 */
export async function makeGradient(width: number, height: number): Promise<Sharp> {
  const line = Buffer.alloc(width * 3);
  for (let x = 0; x < width; x += 1) line.set([x & 255, (x >> 4) & 255, (x * 7) & 255], x * 3);
  const one = await sharp(line, { raw: { width, height: 1, channels: 3 } })
    .png()
    .toBuffer();
  return sharp(one).extend({ bottom: height - 1, extendWith: 'copy' });
}

/** A JPEG of any size in bytes: what is too much lies in comments, which every reader skips. */
export async function makeJpegOfSize(bytes: number): Promise<Buffer> {
  const jpeg = await makeJpeg({ width: 64, height: 64 });
  let missing = bytes - jpeg.length;
  if (missing !== 0 && missing < 4) throw new Error(`${bytes} bytes are too few`);
  const comments: Buffer[] = [];
  while (missing > 0) {
    // A comment holds at most 65,533 bytes behind its four, and the rest must leave room for another's four.
    const part = missing - 65_537 > 0 && missing - 65_537 < 4 ? missing - 4 : Math.min(missing, 65_537);
    const size = Math.min(part, 65_537);
    const comment = Buffer.alloc(size, 0x20);
    comment.writeUInt16BE(0xff_fe, 0);
    comment.writeUInt16BE(size - 2, 2);
    comments.push(comment);
    missing -= size;
  }
  return Buffer.concat([jpeg.subarray(0, 2), ...comments, jpeg.subarray(2)]);
}

/** A sky over a field, its colours and grain by the seed: the same seed gives the same bytes. */
function picture(width: number, height: number, seed: number, grain = 8): Sharp {
  const next = randomNumbers(seed);
  const shift = [next() % 90, next() % 90, next() % 90] as const;
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y += 1) {
    const light = Math.floor((y / height) * 90);
    for (let x = 0; x < width; x += 1, at += 3) {
      const noise = next() & (grain - 1);
      const slope = Math.floor((x / width) * 40) + noise;
      pixels[at] = 60 + shift[0] + light - slope / 2;
      pixels[at + 1] = 40 + shift[1] + slope;
      pixels[at + 2] = 160 - light + shift[2] / 2 + noise;
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

async function animation({ width = 160, height = 120, seed = 1, frames = 4 }: ImageOptions & { frames?: number }) {
  const pictures = Array.from({ length: frames }, (_, index) => makePng({ width, height, seed: seed * 100 + index }));
  return sharp(await Promise.all(pictures), { join: { animated: true } });
}

function withExif(image: Sharp, { orientation, gps, takenAt, offset }: Exif): Sharp {
  const camera: Record<string, string> = {};
  if (takenAt !== undefined) camera.DateTimeOriginal = takenAt;
  if (offset !== undefined) camera.OffsetTimeOriginal = offset;
  const place: Record<string, string> = gps
    ? {
        GPSLatitudeRef: gps.latitude < 0 ? 'S' : 'N',
        GPSLatitude: degrees(gps.latitude),
        GPSLongitudeRef: gps.longitude < 0 ? 'W' : 'E',
        GPSLongitude: degrees(gps.longitude),
      }
    : {};
  const exif = { ...(takenAt || offset ? { IFD2: camera } : {}), ...(gps ? { IFD3: place } : {}) };
  const described = Object.keys(exif).length > 0 ? image.withExif(exif) : image;
  return orientation === undefined ? described : described.withMetadata({ orientation });
}

/** Degrees, minutes and seconds as EXIF's fractions. */
function degrees(value: number): string {
  const seconds = Math.round(Math.abs(value) * 3600 * 100);
  return `${Math.floor(seconds / 360_000)}/1 ${Math.floor(seconds / 6000) % 60}/1 ${seconds % 6000}/100`;
}

/** Whole numbers of 31 bits that look like chance and are the same every time. */
function randomNumbers(seed: number): () => number {
  let state = seed * 2_654_435_761 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 1;
  };
}
