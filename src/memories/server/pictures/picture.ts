import { availableParallelism } from 'node:os';
import type { Metadata, OutputInfo, Sharp, SharpOptions } from 'sharp';
import sharp from 'sharp';
import { Refusal, refuseField } from '../../../base/refusal.ts';
import { releaseBuffer } from '../../../base/server/release-buffer.ts';
import { BROKEN_PHOTO, INVALID_TYPE, type MediaType, TOO_MANY_FRAMES, TOO_MANY_PIXELS } from '../../rules.ts';
import { captureTime } from './capture-time.ts';
import { decodeMemory, heldFrames } from './decode-memory.ts';
import { DecodeQueue } from './decode-queue.ts';
import { isWholeGif } from './gif.ts';
import { thumbHashOf } from './thumb-hash.ts';

/** The longer side of what is shown, in pixels (contract 3). */
const THUMBNAIL = 320;
const PREVIEW = 1600;

/**
 * Phones make 200 megapixels; what claims more is a bomb. All frames of an animation count, and it is refused at the
 * header, before anything is decoded.
 */
const MAX_PIXELS = 250_000_000;
const MEGABYTE = 1024 * 1024;
/**
 * A photograph that takes more memory to decode is refused: a progressive JPEG of 108 megapixels is just below, a
 * lossless WebP of 130. Cameras write what is decoded line by line, and takes little at any size.
 */
const MAX_HELD_BYTES = 640 * MEGABYTE;
/** All decoding of this process: one picture a core, and one at a time of those that take much memory. */
const decodes = new DecodeQueue({
  jobs: availableParallelism(),
  bytes: 256 * MEGABYTE,
  largeBytes: 112 * MEGABYTE,
});
/** The frames of an animated WebP's preview are held; where they are more bytes than this they are made smaller. */
const MAX_FRAMES_BYTES = 160 * MEGABYTE;
/** A quarter of an hour at ten a second; more frames, however small, are a bomb of time. */
const MAX_FRAMES = 10_000;

// `failOn: 'error'`, for some Samsung photographs decode with a warning; half a file is an error.
const READ = { failOn: 'error', limitInputPixels: MAX_PIXELS } as const satisfies SharpOptions;
const FAST = { effort: 2, quality: 80 } as const;
// Somebody waits for the thumbnail's answer: as many bytes as FAST, in two thirds of its time, and nobody sees it.
const FASTEST = { effort: 0, quality: 78 } as const;

// One thread a picture and as many pictures as there are cores is the quickest for many, and quick enough for one.
sharp.concurrency(1);
// No photograph is read twice, and what is kept for that is memory that others need.
sharp.cache(false);
// A file is opened by a loader of its four formats or by none: no SVG, no PDF, whatever it is called.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
});

/** What a photograph was found to be, and what is shown of it first. */
export interface Judged {
  /** Upright, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Milliseconds, or null. */
  readonly takenAt: number | null;
  /** Base64. */
  readonly thumbHash: string;
  /** WebP, upright, without EXIF, in sRGB. */
  readonly thumbnail: Buffer;
}

/** The format that a file's first bytes say it is in, or null where it is none of the four. */
export function typeOf(head: Buffer): MediaType | null {
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(text)) return 'image/webp';
  return null;
}

/** How many of a file's first bytes {@link typeOf} looks at. */
export const HEAD_LENGTH = 12;

export function wrongType(): Refusal {
  return new Refusal(415, INVALID_TYPE, { errors: [{ field: 'ImageFile', message: INVALID_TYPE }] });
}

/** Who is told how far a photograph is. */
interface Listening {
  /** It is being decoded, elsewhere: there is time for other things. */
  readonly decoding?: () => void;
  /** All of it was decoded: from now on it is a photograph, and its file is no longer read. */
  readonly whole?: () => void;
}

/**
 * Decodes a whole photograph, and makes its thumbnail on the way.
 * @param type what its first bytes say it is
 * @param zone the couple's, for a photograph that gives no offset
 * @throws Refusal 400 where it is broken, or a bomb
 */
export async function judgePicture(path: string, type: MediaType, zone: string, on: Listening = {}): Promise<Judged> {
  try {
    const metadata = await sharp(path, READ).metadata();
    if ((metadata.pages ?? 1) > MAX_FRAMES) throw refuseField('ImageFile', TOO_MANY_FRAMES);
    const bytes = await decodeMemory(path, { metadata, side: THUMBNAIL, animated: false });
    if (bytes > MAX_HELD_BYTES) throw refuseField('ImageFile', TOO_MANY_PIXELS);
    return await decodes.run(bytes, () => judgeDecoded(path, { metadata, type, zone, on }));
  } catch (error) {
    throw refusalOf(error);
  }
}

interface Judging {
  readonly metadata: Metadata;
  readonly type: MediaType;
  readonly zone: string;
  readonly on: Listening;
}

async function judgeDecoded(path: string, { metadata, type, zone, on }: Judging): Promise<Judged> {
  const decoding = (async () => {
    if (moves(metadata)) await decodeFrames(path);
    if (type === 'image/gif' && !(await isWholeGif(path))) throw new Error('The animation breaks off');
    return upright(await decodeWhole(path), metadata);
  })();
  on.decoding?.();
  const small = await decoding;
  on.whole?.();
  const encoding = fromRaw(small).webp(FASTEST).toBuffer();
  const thumbHash = thumbHashOf({ data: small.data, ...small.info });
  const thumbnail = await encoding;
  releaseBuffer(small.data);
  const { width, height } = moves(metadata) ? metadata : metadata.autoOrient;
  return { width, height, takenAt: captureTime(metadata.exif, zone), thumbHash, thumbnail };
}

/** The preview of a photograph that was judged before: WebP, upright, without EXIF, in sRGB; an animation moves. */
export async function makePreview(path: string): Promise<Buffer> {
  const metadata = await sharp(path, READ).metadata();
  const animated = moves(metadata);
  const side = animated ? animationSide(metadata) : PREVIEW;
  return decodes.run(await decodeMemory(path, { metadata, side, animated }), async () => {
    // What stands upright already goes through in one piece; its pixels are never held here.
    if (turnOf(metadata) === undefined) {
      return inside(sharp(path, { ...READ, animated }), side)
        .toColourspace('srgb')
        .webp(FAST)
        .toBuffer();
    }
    return fromRaw(await upright(await decode(path, side), metadata))
      .webp(FAST)
      .toBuffer();
  });
}

/** The longer side of an animation's preview, in pixels: smaller where its frames would take too much memory. */
function animationSide(metadata: Metadata): number {
  const bytes = metadata.format === 'webp' ? heldFrames(metadata, PREVIEW, metadata.pages ?? 1) : 0;
  const side = Math.min(PREVIEW, Math.max(metadata.width, metadata.pageHeight ?? metadata.height));
  return Math.floor(side * Math.min(1, Math.sqrt(MAX_FRAMES_BYTES / Math.max(1, bytes))));
}

/** The thumbnail alone, where it was lost. */
export async function makeThumbnail(path: string): Promise<Buffer> {
  const metadata = await sharp(path, READ).metadata();
  return decodes.run(await decodeMemory(path, { metadata, side: THUMBNAIL, animated: false }), async () =>
    fromRaw(await upright(await decode(path, THUMBNAIL), metadata))
      .webp(FASTEST)
      .toBuffer(),
  );
}

interface Raw {
  readonly data: Buffer;
  readonly info: OutputInfo;
}

function moves({ pages = 1 }: Metadata): boolean {
  return pages > 1;
}

function inside(image: Sharp, side: number): Sharp {
  return image.resize(side, side, { fit: 'inside', withoutEnlargement: true });
}

/**
 * The small one, of a photograph whose bytes are all there. A JPEG that ends too early but says that it ends is only a
 * warning to the decoder; so are oddities that some phones write, and which are no fault.
 */
async function decodeWhole(path: string): Promise<Raw> {
  try {
    return await decode(path, THUMBNAIL, 'warning');
  } catch (error) {
    if (error instanceof Error && /premature end/i.test(error.message)) throw error;
    return decode(path, THUMBNAIL);
  }
}

/** All of it read, made small, in sRGB, as it is stored: turning the small one is much quicker. */
function decode(path: string, side: number, failOn: SharpOptions['failOn'] = READ.failOn): Promise<Raw> {
  return inside(sharp(path, { ...READ, failOn }), side)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
}

/** Every frame, to see that they are there; nearly nothing of them is held. */
async function decodeFrames(path: string): Promise<void> {
  await sharp(path, { ...READ, animated: true })
    .resize(16)
    .raw()
    .toBuffer();
}

function fromRaw({ data, info: { width, height, channels } }: Raw): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

/** How to turn what a camera stored by EXIF's orientations 2 to 8; sharp mirrors before it rotates. */
const TURNS: Readonly<Record<number, (image: Sharp) => Sharp>> = {
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: (image) => image.flop().rotate(270),
  6: (image) => image.rotate(90),
  7: (image) => image.flop().rotate(90),
  8: (image) => image.rotate(270),
};

/** An animation is not turned: no camera makes one. */
function turnOf(metadata: Metadata): ((image: Sharp) => Sharp) | undefined {
  return moves(metadata) ? undefined : TURNS[metadata.orientation ?? 1];
}

async function upright(raw: Raw, metadata: Metadata): Promise<Raw> {
  const turn = turnOf(metadata);
  return turn === undefined ? raw : turn(fromRaw(raw)).raw().toBuffer({ resolveWithObject: true });
}

/** What the decoder says of a file is the file's fault; anything else that went wrong is not. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal || 'code' in error) return error;
  return refuseField('ImageFile', /pixel limit/i.test(error.message) ? TOO_MANY_PIXELS : BROKEN_PHOTO);
}
