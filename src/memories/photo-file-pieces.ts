/** Reads bytes at an offset; fewer, or none, at the end of the file. */
export type ReadBytes = (at: number, length: number) => Promise<Uint8Array<ArrayBuffer>>;

/** A segment of a JPEG, or a chunk of a PNG or WebP. Offsets are in bytes from the start of the file. */
export interface Piece {
  /**
   * `image` is needed to decode, `profile` is part of a color profile, `text` is a PNG's text, packed if its name is not
   * `tEXt`, and `other` is any other metadata.
   */
  readonly kind: 'image' | 'profile' | 'exif' | 'text' | 'other';
  /** A chunk's type, or a JPEG's marker in hexadecimal. */
  readonly name: string;
  readonly start: number;
  /** Where its data starts, after its length and name. */
  readonly body: number;
  /** Where its data ends. It may be behind the end of a truncated file. */
  readonly bodyEnd: number;
  /** Where the next piece starts. It may be behind the end of a truncated file. */
  readonly end: number;
}

/** The most pieces that are listed. Programs write pieces of at least a few kilobytes, so no photograph of 100 MB has more. */
export const MAX_PIECES = 100_000;

/** Small pieces share a read of this many bytes. A larger window would read most of a file of large ones. */
const WINDOW_BYTES = 16 * 1024;

/** Reads through a window, so that reading many small parts in order takes few reads of the file. */
export function throughWindow(read: ReadBytes): ReadBytes {
  let start = 0;
  let window = new Uint8Array();
  return async (at, length) => {
    if (length > WINDOW_BYTES) return read(at, length);
    if (at < start || at + length > start + window.length) {
      window = await read(at, WINDOW_BYTES);
      start = at;
    }
    return window.subarray(at - start, at - start + length);
  };
}

/**
 * Lists the pieces of a JPEG, PNG or WebP in the order of the file, and nothing for other files. It reads the start of each
 * piece only. A JPEG's image data is one piece, which lasts to the end of the file. The list ends at the end of the picture
 * or of the file, and after {@link MAX_PIECES}.
 */
export async function* piecesOf(read: ReadBytes): AsyncGenerator<Piece> {
  const pieces = await formatOf(read);
  if (pieces === null) return;
  let at = pieces.first;
  for (let count = 0; count < MAX_PIECES; count += 1) {
    const piece = await pieces.pieceAt(read, at);
    if (piece === null) return;
    yield piece;
    if (!Number.isFinite(piece.end)) return;
    at = piece.end;
  }
}

/** How to read the pieces of a format. */
interface Format {
  /** The offset of the first piece. */
  readonly first: number;
  /** The piece at an offset, or null at the end. */
  readonly pieceAt: (read: ReadBytes, at: number) => Promise<Piece | null>;
}

async function formatOf(read: ReadBytes): Promise<Format | null> {
  const head = asciiOf(await read(0, 12));
  if (head.startsWith('\xff\xd8')) return { first: 2, pieceAt: segmentAt };
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return { first: 8, pieceAt: pngChunkAt };
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return { first: 12, pieceAt: webpChunkAt };
  return null;
}

/** Bytes between two segments are passed over in steps of this length, as decoders do. */
const GAP_BYTES = 4096;
/** How many bytes of a segment tell what it is. */
const SEGMENT_HEAD = 18;
/** An APP0 or APP14 segment of this length tells how colors are stored. A longer one has a thumbnail. */
const COLOR_SEGMENT = 32;

async function segmentAt(read: ReadBytes, at: number): Promise<Piece | null> {
  const head = await read(at, SEGMENT_HEAD);
  if (head.length < 2) return null;
  const [mark, marker = 0] = head;
  if (mark !== 0xff) return gapAt(await read(at, GAP_BYTES), at);
  if (marker === 0xff) return segment(at, { marker, length: -1, kind: 'other' });
  if (marker === 0x00) return segment(at, { marker, length: 0, kind: 'other' });
  // These have no length.
  if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) return segment(at, { marker, length: 0, kind: 'image' });
  if (marker === 0xda || marker === 0xd9 || head.length < 4) {
    return segment(at, { marker, length: Number.POSITIVE_INFINITY, kind: 'image' });
  }
  const length = viewOf(head).getUint16(2);
  return segment(at, { marker, length, kind: kindOfSegment(marker, length, asciiOf(head.subarray(4))) });
}

/** Bytes that belong to no segment, up to the next marker. */
function gapAt(ahead: Uint8Array, at: number): Piece {
  const next = ahead.indexOf(0xff);
  const end = at + (next > 0 ? next : ahead.length);
  return { kind: 'other', name: '', start: at, body: at, bodyEnd: end, end };
}

function segment(start: number, parts: { marker: number; length: number; kind: Piece['kind'] }): Piece {
  const end = start + 2 + parts.length;
  return { kind: parts.kind, name: parts.marker.toString(16), start, body: start + 4, bodyEnd: end, end };
}

function kindOfSegment(marker: number, length: number, body: string): Piece['kind'] {
  if (marker === 0xe0 || marker === 0xee) return length <= COLOR_SEGMENT ? 'image' : 'other';
  if (marker === 0xe1 && body.startsWith('Exif\0')) return 'exif';
  if (marker === 0xe2 && body.startsWith('ICC_PROFILE\0')) return 'profile';
  return (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe ? 'other' : 'image';
}

/** The chunks of a PNG that change how its pixels look, besides those whose names start with a capital letter. */
const PNG_COLORS = new Set(['tRNS', 'gAMA', 'cHRM', 'sRGB', 'cICP', 'sBIT', 'bKGD']);

async function pngChunkAt(read: ReadBytes, start: number): Promise<Piece | null> {
  const head = await read(start, 8);
  if (head.length < 8) return null;
  const name = asciiOf(head.subarray(4));
  const bodyEnd = start + 8 + viewOf(head).getUint32(0);
  // A checksum follows. Nothing after the last chunk belongs to the picture.
  const end = name === 'IEND' ? Number.POSITIVE_INFINITY : bodyEnd + 4;
  return { kind: kindOfPngChunk(name), name, start, body: start + 8, bodyEnd, end };
}

function kindOfPngChunk(name: string): Piece['kind'] {
  if (name === 'eXIf') return 'exif';
  if (name === 'iCCP') return 'profile';
  if (name.endsWith('TXt') || name === 'tEXt') return 'text';
  return /^[A-Z]/.test(name) || PNG_COLORS.has(name) ? 'image' : 'other';
}

const WEBP_IMAGE = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF']);

async function webpChunkAt(read: ReadBytes, start: number): Promise<Piece | null> {
  const head = await read(start, 8);
  if (head.length < 8) return null;
  const name = asciiOf(head.subarray(0, 4));
  const length = viewOf(head).getUint32(4, true);
  const bodyEnd = start + 8 + length;
  return { kind: kindOfWebpChunk(name), name, start, body: start + 8, bodyEnd, end: bodyEnd + (length % 2) };
}

function kindOfWebpChunk(name: string): Piece['kind'] {
  if (name === 'EXIF') return 'exif';
  if (name === 'ICCP') return 'profile';
  return WEBP_IMAGE.has(name) ? 'image' : 'other';
}

/** The bytes as characters, one each. */
export function asciiOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
