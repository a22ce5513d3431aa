import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, inflate } from 'node:zlib';
import { MAX_EXIF_BYTES, MAX_EXIF_TEXT, readExifBlock } from '../../exif-block.ts';
import { MAX_PIECES, type Piece, piecesOf, type ReadBytes, throughWindow } from '../../photo-file-pieces.ts';

/** What the image library may parse besides the picture, in bytes and pieces. More than most cameras write. */
const MAX_METADATA_BYTES = 128 * 1024;
const MAX_METADATA_PIECES = 1_000;
/** A packed text unpacks to up to a thousand times its size. */
const PACKED_WEIGHT = 8;
/** The largest profiles for printing have half of this. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;

/** A part of a file, from `start` to before `end`. */
interface Range {
  readonly start: number;
  readonly end: number;
}
/** A part of a file, or bytes in its place. */
type Part = Range | { readonly bytes: Buffer };

/** A photograph on the local disk: what can be known without the image library. */
export interface PhotoFile {
  readonly path: string;
  readonly bytes: number;
  /** Its EXIF block, at most 64 KB of it; null if it has none. */
  readonly exif: Uint8Array<ArrayBuffer> | null;
  /** Whether it is a still, lossy and opaque WebP: the only kind of WebP that is decoded line by line. */
  readonly isPlainLossy: boolean;
  /** How many of the colors a JPEG's first scan has; 0 for other formats. */
  readonly scanColors: number;
  /** What the image library reads: the parts of a file with too much metadata, or null for the whole file. */
  readonly parts: readonly Part[] | null;
}

/**
 * Reads the structure of a photograph, and its EXIF block. Of the image data it reads nothing.
 * @throws an error with a code if the file cannot be read
 */
export async function readPhotoStructure(path: string): Promise<PhotoFile> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const read = throughWindow(readerOf(file));
    const pieces = await Array.fromAsync(piecesOf(read));
    return {
      path,
      bytes: size,
      exif: await readExifBlock(pieces, read, unpack),
      isPlainLossy: isPlainLossy(pieces),
      scanColors: await scanColors(pieces, read),
      parts: isHeavy(pieces) ? await partsOf(pieces, size, read) : null,
    };
  } finally {
    await file.close();
  }
}

/** Where a JPEG's image data ends. */
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/**
 * What the image library reads: the path, or the bytes of a file that has too much metadata or lacks its end marker.
 * @param isEnded false to add the end marker of a JPEG
 */
export async function sourceOf({ path, bytes, parts }: PhotoFile, isEnded: boolean): Promise<string | Buffer> {
  if (parts === null && isEnded) return path;
  const file = await open(path, 'r');
  try {
    const read = readerOf(file);
    const copies = (parts ?? [{ start: 0, end: bytes }]).map(async (part) =>
      'bytes' in part ? part.bytes : read(part.start, part.end - part.start),
    );
    const source = Buffer.concat([...(await Promise.all(copies)), ...(isEnded ? [] : [END_OF_IMAGE])]);
    // Of what a WebP declares to hold, parts are left out.
    if (source.toString('latin1', 0, 4) === 'RIFF') source.writeUInt32LE(source.length - 8, 4);
    return source;
  } finally {
    await file.close();
  }
}

/** The bytes of {@link sourceOf}, which are held in memory. */
export function heldBytes({ bytes, parts }: PhotoFile, isEnded: boolean): number {
  if (parts === null) return isEnded ? 0 : bytes;
  return parts.reduce((sum, part) => sum + ('bytes' in part ? part.bytes.length : part.end - part.start), 0);
}

function readerOf(file: FileHandle): ReadBytes {
  return async (at, length) => {
    const { buffer, bytesRead } = await file.read(new Uint8Array(Math.max(0, length)), 0, Math.max(0, length), at);
    return buffer.subarray(0, bytesRead);
  };
}

const unpack = (packed: Uint8Array): Promise<Buffer | null> =>
  promisify(inflate)(packed, { maxOutputLength: MAX_EXIF_TEXT }).catch(() => null);

function isHeavy(pieces: readonly Piece[]): boolean {
  const metadata = pieces.filter(({ kind }) => kind !== 'image' && kind !== 'profile');
  const weight = metadata.reduce((sum, piece) => sum + weightOf(piece), 0);
  return (
    weight > MAX_METADATA_BYTES ||
    metadata.length > MAX_METADATA_PIECES ||
    profileBytes(pieces) > MAX_PROFILE_BYTES ||
    pieces.length === MAX_PIECES
  );
}

function weightOf({ kind, name, start, end }: Piece): number {
  return (end - start) * (kind === 'text' && name !== 'tEXt' ? PACKED_WEIGHT : 1);
}

function profileBytes(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { kind, start, end }) => sum + (kind === 'profile' ? end - start : 0), 0);
}

/** The picture, its profile unless that is too large, and its first EXIF block, which tells how to turn it. */
async function partsOf(pieces: readonly Piece[], size: number, read: ReadBytes): Promise<Part[]> {
  const hasProfile = profileBytes(pieces) <= MAX_PROFILE_BYTES;
  const exif = pieces.find(({ kind }) => kind === 'exif');
  const first = pieces[0]?.start ?? 0;
  const parts: Part[] = [{ start: 0, end: first }];
  for (const piece of pieces) {
    if (piece === exif) parts.push(await exifPart(piece, size, read));
    else if (piece.kind === 'image' || (piece.kind === 'profile' && hasProfile)) {
      parts.push({ start: Math.min(piece.start, size), end: Math.min(piece.end, size) });
    }
  }
  return joined(parts);
}

/** An EXIF block; of a longer one than a JPEG can hold, a chunk with its start. */
async function exifPart({ name, start, body, bodyEnd, end }: Piece, size: number, read: ReadBytes): Promise<Part> {
  if (bodyEnd - body <= MAX_EXIF_BYTES) return { start: Math.min(start, size), end: Math.min(end, size) };
  const block = await read(body, MAX_EXIF_BYTES);
  const [type, length, sum] = [Buffer.from(name, 'latin1'), Buffer.alloc(4), Buffer.alloc(4)];
  if (name === 'EXIF') {
    length.writeUInt32LE(block.length);
    return { bytes: Buffer.concat([type, length, block]) };
  }
  length.writeUInt32BE(block.length);
  sum.writeUInt32BE(crc32(block, crc32(type)));
  return { bytes: Buffer.concat([length, type, block, sum]) };
}

/** Joins parts that follow each other in the file, so that few reads copy them. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    const follows = last !== undefined && 'end' in last && 'start' in part && last.end === part.start;
    if (follows) all[all.length - 1] = { start: last.start, end: part.end };
    else all.push(part);
  }
  return all;
}

function isPlainLossy(pieces: readonly Piece[]): boolean {
  const image = pieces.find(({ name }) => ['VP8 ', 'VP8L', 'ALPH', 'ANMF'].includes(name));
  return image?.name === 'VP8 ';
}

async function scanColors(pieces: readonly Piece[], read: ReadBytes): Promise<number> {
  const scan = pieces.find(({ name }) => name === 'da');
  return scan === undefined ? 0 : ((await read(scan.body, 1))[0] ?? 0);
}
