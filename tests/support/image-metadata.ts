import { crc32 } from 'node:zlib';
import type { ExifTexts } from '../../src/memories/exif-texts.ts';

/** The numbers of the tags that hold a time, and of the tag that points to the list of the photograph. */
export const TAG = {
  DateTime: 0x0132,
  PhotoList: 0x8769,
  DateTimeOriginal: 0x9003,
  DateTimeDigitized: 0x9004,
  OffsetTime: 0x9010,
  OffsetTimeOriginal: 0x9011,
  OffsetTimeDigitized: 0x9012,
  SubSecTimeOriginal: 0x9291,
  SubSecTimeDigitized: 0x9292,
} as const;

/** An entry of an EXIF list, as it is in the file: the value is a number, or where the value is. */
export interface Entry {
  readonly tag: number;
  /** 1 bytes, 2 text, 3 and 4 numbers of two and four bytes. */
  readonly type: number;
  readonly count: number;
  readonly value: number;
}

const numbers = (isLittle: boolean) => ({
  two: (value: number) => {
    const bytes = Buffer.alloc(2);
    return bytes.fill(isLittle ? Uint8Array.of(value, value >> 8) : Uint8Array.of(value >> 8, value));
  },
  four: (value: number) => {
    const bytes = Buffer.alloc(4);
    if (isLittle) bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    return bytes;
  },
});

/** An EXIF block of these bytes with one list, which may lie about everything. */
export function exifOf(
  entries: readonly Entry[],
  { isLittle = true, count = entries.length, next = 0, bytes = 0 } = {},
) {
  const { two, four } = numbers(isLittle);
  const list = entries.map((entry) =>
    Buffer.concat([two(entry.tag), two(entry.type), four(entry.count), four(entry.value)]),
  );
  const block = Buffer.concat([startOf(isLittle), four(8), two(count), ...list, four(next)]);
  return Buffer.concat([block, Buffer.alloc(Math.max(0, bytes - block.length))]);
}

const startOf = (isLittle: boolean) => Buffer.from(isLittle ? 'II*\0' : 'MM\0*', 'latin1');

/** An EXIF block with these texts in the list of the photograph, each exactly as given. `DateTime` is in the first list. */
export function exifWith(
  texts: ExifTexts & { readonly DateTime?: string },
  { isLittle = true, orientation = 1, bytes = 0 } = {},
): Buffer {
  const { two, four } = numbers(isLittle);
  const { DateTime, ...photo } = texts;
  const lists: Buffer[] = [];
  const rest: Buffer[] = [];
  const photoTexts = Object.entries(photo) as [keyof typeof TAG, string][];
  const firstTexts: [keyof typeof TAG, string][] = DateTime === undefined ? [] : [['DateTime', DateTime]];
  const lengthOf = (count: number) => 2 + count * 12 + 4;
  const photoAt = 8 + lengthOf(firstTexts.length + 2);
  let dataAt = photoAt + lengthOf(photoTexts.length);
  const textEntry = ([name, text]: [keyof typeof TAG, string]) => {
    const data = Buffer.from(text, 'latin1');
    const head = [two(TAG[name]), two(2), four(data.length)];
    if (data.length <= 4) return Buffer.concat([...head, data, Buffer.alloc(4 - data.length)]);
    rest.push(data);
    dataAt += data.length;
    return Buffer.concat([...head, four(dataAt - data.length)]);
  };
  const add = (entries: readonly Buffer[]) => lists.push(two(entries.length), ...entries, four(0));
  add([
    Buffer.concat([two(0x0112), two(3), four(1), two(orientation), two(0)]),
    ...firstTexts.map(textEntry),
    Buffer.concat([two(TAG.PhotoList), two(4), four(1), four(photoAt)]),
  ]);
  add(photoTexts.map(textEntry));
  const block = Buffer.concat([startOf(isLittle), four(8), ...lists, ...rest]);
  return Buffer.concat([block, Buffer.alloc(Math.max(0, bytes - block.length))]);
}

/** An EXIF block in which each of thousands of entries claims a list of numbers as long as the block. */
export function exifBomb({ entries = 5_000, bytes = 65_490 } = {}): Buffer {
  const one = { type: 1, count: bytes - 8, value: 8 };
  return exifOf(
    Array.from({ length: entries }, (_, at) => ({ ...one, tag: 0xc800 + (at % 12_000) })),
    { bytes },
  );
}

/** Adds a segment to a JPEG, in front of the others. */
export function withSegment(jpeg: Buffer, marker: number, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));
  const head = Buffer.from([0xff, marker, (body.length + 2) >> 8, body.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

/** Adds an EXIF block to a JPEG. */
export function jpegWithExif(jpeg: Buffer, block: Buffer): Buffer {
  return withSegment(jpeg, 0xe1, 'Exif\0\0', block);
}

/** A chunk of a PNG. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Adds chunks to a PNG: before its pixels, or behind them. */
export function pngWith(png: Buffer, chunks: readonly Buffer[], { isBehind = false } = {}): Buffer {
  const at = isBehind ? png.lastIndexOf('IEND') - 4 : 33;
  return Buffer.concat([png.subarray(0, at), ...chunks, png.subarray(at)]);
}

/** A chunk of a WebP. */
export function webpChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)]);
}

/** A simple WebP as an extended one with metadata. */
export function webpWith(
  webp: Buffer,
  { width, height, exif, xmp, icc }: { width: number; height: number; exif?: Buffer; xmp?: Buffer; icc?: Buffer },
): Buffer {
  const header = Buffer.alloc(10);
  header[0] = (icc ? 0x20 : 0) | (exif ? 0x08 : 0) | (xmp ? 0x04 : 0);
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  const file = Buffer.concat([
    webp.subarray(0, 12),
    webpChunk('VP8X', header),
    ...(icc ? [webpChunk('ICCP', icc)] : []),
    webp.subarray(12),
    ...(exif ? [webpChunk('EXIF', exif)] : []),
    ...(xmp ? [webpChunk('XMP ', xmp)] : []),
  ]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}
