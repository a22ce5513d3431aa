import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** EXIF data of a photograph. */
export interface Exif {
  /** EXIF orientation, 1 to 8: 6 needs a rotation by 90° clockwise. */
  readonly orientation?: number;
  /** Degrees; south and west are negative. */
  readonly gps?: { readonly latitude: number; readonly longitude: number };
  /** Local time in EXIF's format: '2026:11:20 19:30:00'. */
  readonly takenAt?: string;
  /** The UTC offset of `takenAt`: '+02:00'. Many cameras omit it. */
  readonly offset?: string;
}

export interface ImageOptions extends Exif {
  /** In pixels as stored, before the orientation is applied. */
  readonly width?: number;
  readonly height?: number;
  /** Different seeds give different images. */
  readonly seed?: number;
  /** The strength of the noise in brightness levels, a power of two. More noise makes a larger file. */
  readonly grain?: number;
}

/** A JPEG like a camera's: smooth areas, some noise, and optional EXIF. */
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

/** An animated GIF: a tenth of a second per frame, in an endless loop. */
export function makeAnimatedGif(options: ImageOptions & { frames?: number } = {}): Promise<Buffer> {
  return animation(options).then((frames) => frames.gif({ delay: 100, loop: 0 }).toBuffer());
}

/** An animated WebP. */
export function makeAnimatedWebp(options: ImageOptions & { frames?: number } = {}): Promise<Buffer> {
  return animation(options).then((frames) => frames.webp({ delay: 100, loop: 0, quality: 70 }).toBuffer());
}

/** An animated WebP whose last frame is repeated until it has this many. It is small, and made fast. */
export async function makeLongWebp({ frames, ...options }: ImageOptions & { frames: number }): Promise<Buffer> {
  const webp = await makeAnimatedWebp({ ...options, frames: 2 });
  const last = webp.subarray(webp.lastIndexOf('ANMF'));
  const long = Buffer.concat([webp, ...Array.from({ length: frames - 2 }, () => last)]);
  long.writeUInt32LE(long.length - 8, 4);
  return long;
}

/** The first half of a JPEG: a valid header with truncated image data. */
export async function makeHalfJpeg(options: ImageOptions = {}): Promise<Buffer> {
  const jpeg = await makeJpeg(options);
  return jpeg.subarray(0, Math.floor(jpeg.length / 2));
}

/** The values in the header of a PNG. */
export interface PngClaim {
  readonly width: number;
  readonly height: number;
  /** Bits per channel. */
  readonly depth?: 8 | 16;
  readonly interlaced?: boolean;
}

/** A small RGBA PNG whose header claims other dimensions than its data has. */
export async function makePngClaim({ width, height, depth = 8, interlaced = false }: PngClaim): Promise<Buffer> {
  const png = await makePng({ width: 8, height: 8 });
  // The header's fields and their checksum have fixed offsets.
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.set([depth, 6, 0, 0, interlaced ? 1 : 0], 24);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** A small PNG that claims to have 30,000 by 30,000 pixels. */
export function makePixelBomb(): Promise<Buffer> {
  return makePngClaim({ width: 30_000, height: 30_000 });
}

/**
 * An image of many colors that compresses well, because all lines are equal: a lossless WebP of 25 megapixels has 30 KB,
 * but its decoder needs memory for all pixels.
 */
export async function makeGradient(width: number, height: number): Promise<Sharp> {
  const line = Buffer.alloc(width * 3);
  for (let x = 0; x < width; x += 1) line.set([x & 255, (x >> 4) & 255, (x * 7) & 255], x * 3);
  const one = await sharp(line, { raw: { width, height: 1, channels: 3 } })
    .png()
    .toBuffer();
  return sharp(one).extend({ bottom: height - 1, extendWith: 'copy' });
}

/** A JPEG of exactly `bytes` bytes, padded with comments, which decoders skip. */
export async function makeJpegOfSize(bytes: number): Promise<Buffer> {
  const jpeg = await makeJpeg({ width: 64, height: 64 });
  let missing = bytes - jpeg.length;
  if (missing !== 0 && missing < 4) throw new Error(`A JPEG of ${bytes} bytes is too small`);
  const comments: Buffer[] = [];
  while (missing > 0) {
    // A comment holds at most 65,533 bytes after its 4-byte header. Leave room for the header of the next one.
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

/** A gradient with noise. The same seed gives the same pixels. */
function picture(width: number, height: number, seed: number, grain = 8): Sharp {
  const next = randomNumbers(seed);
  const tint = [next() % 90, next() % 90, next() % 90] as const;
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y += 1) {
    const light = Math.floor((y / height) * 90);
    for (let x = 0; x < width; x += 1, at += 3) {
      const noise = next() & (grain - 1);
      const slope = Math.floor((x / width) * 40) + noise;
      pixels[at] = 60 + tint[0] + light - slope / 2;
      pixels[at + 1] = 40 + tint[1] + slope;
      pixels[at + 2] = 160 - light + tint[2] / 2 + noise;
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

/** Degrees, minutes and seconds as EXIF fractions. */
function degrees(value: number): string {
  const seconds = Math.round(Math.abs(value) * 3600 * 100);
  return `${Math.floor(seconds / 360_000)}/1 ${Math.floor(seconds / 6000) % 60}/1 ${seconds % 6000}/100`;
}

/** A deterministic pseudorandom generator of 31-bit integers. */
function randomNumbers(seed: number): () => number {
  let state = seed * 2_654_435_761 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 1;
  };
}
