import { asciiOf, type Piece, type ReadBytes } from './photo-file-pieces.ts';

/** How much of an EXIF block is read. A JPEG holds no larger one. */
export const MAX_EXIF_BYTES = 64 * 1024;
/** A PNG's text has two digits a byte, in lines of 72. */
export const MAX_EXIF_TEXT = MAX_EXIF_BYTES * 2 + 4096;

/** Unpacks a zlib stream to at most {@link MAX_EXIF_TEXT} bytes; null if it is broken or has more. */
export type Unpack = (packed: Uint8Array<ArrayBuffer>) => Promise<Uint8Array | null>;

/**
 * Reads the first EXIF block of a photograph, from its pieces; null if there is none. It looks no further than it must.
 * ImageMagick and ExifTool also write it as a text of a PNG: hexadecimal, usually packed.
 */
export async function readExifBlock(
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
  read: ReadBytes,
  unpack: Unpack,
): Promise<Uint8Array<ArrayBuffer> | null> {
  for await (const piece of pieces) {
    if (piece.kind === 'exif') return read(piece.body, Math.min(piece.bodyEnd - piece.body, MAX_EXIF_BYTES));
    const block = piece.kind === 'text' ? await readFromText(piece, read, unpack) : null;
    if (block !== null) return block;
  }
  return null;
}

const KEYWORD = /^Raw profile type (?:exif|APP1)\0/i;
/** The keywords have the same length. */
const KEYWORD_BYTES = 'Raw profile type exif\0'.length;

async function readFromText({ name, body, bodyEnd }: Piece, read: ReadBytes, unpack: Unpack) {
  if (!KEYWORD.test(asciiOf(await read(body, KEYWORD_BYTES)))) return null;
  const isPacked = name === 'zTXt';
  // The number of the packing method precedes a packed text.
  const start = body + KEYWORD_BYTES + (isPacked ? 1 : 0);
  const stored = await read(start, Math.min(Math.max(0, bodyEnd - start), MAX_EXIF_TEXT));
  const text = isPacked ? await unpack(stored) : stored;
  const block = text === null ? null : fromHex(text);
  // 'APP1' may also be XMP.
  return block !== null && /^(?:Exif\0|II\*|MM\0)/.test(asciiOf(block.subarray(0, 5))) ? block : null;
}

/** The bytes of a text such as '\nexif\n    1234\n4578…': a name, their number, and their digits in lines. */
function fromHex(text: Uint8Array): Uint8Array<ArrayBuffer> {
  const digits = Array.from(text, (code) => String.fromCharCode(code))
    .join('')
    .replace(/^\s*\S+\s+\d+\s/, '')
    .replace(/\s/g, '');
  const length = Math.min(digits.length >> 1, MAX_EXIF_BYTES);
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16));
}
