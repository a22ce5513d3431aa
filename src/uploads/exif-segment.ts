/** Reads bytes at an offset; fewer, or none, at the end of the file. */
export type ReadBytes = (at: number, length: number) => Promise<Uint8Array<ArrayBuffer>>;

/** More segments before the image data than any camera writes. */
const MOST_SEGMENTS = 500;

/**
 * Finds the EXIF block of a JPEG, PNG or WebP; null if there is none. It reads only the segment headers before it, never
 * the image data.
 */
export async function findExif(read: ReadBytes): Promise<Uint8Array<ArrayBuffer> | null> {
  const head = textOf(await read(0, 12));
  if (head.startsWith('\xff\xd8')) return findInJpeg(read);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return findInPng(read);
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return findInWebp(read);
  return null;
}

async function findInJpeg(read: ReadBytes): Promise<Uint8Array<ArrayBuffer> | null> {
  for (let at = 2, left = MOST_SEGMENTS; left > 0; left -= 1) {
    const view = viewOf(await read(at, 4));
    if (view.byteLength < 4 || view.getUint8(0) !== 0xff) return null;
    const marker = view.getUint8(1);
    // The image data starts, or the file ends.
    if (marker === 0xda || marker === 0xd9) return null;
    const length = view.getUint16(2);
    const body = marker === 0xe1 ? await read(at + 4, length - 2) : null;
    if (body !== null && textOf(body.subarray(0, 5)) === 'Exif\0') return body;
    at += 2 + length;
  }
  return null;
}

async function findInPng(read: ReadBytes): Promise<Uint8Array<ArrayBuffer> | null> {
  for (let at = 8, left = MOST_SEGMENTS; left > 0; left -= 1) {
    const header = await read(at, 8);
    if (header.length < 8) return null;
    const length = viewOf(header).getUint32(0);
    const type = textOf(header.subarray(4));
    if (type === 'eXIf') return read(at + 8, length);
    at += 12 + length;
  }
  return null;
}

async function findInWebp(read: ReadBytes): Promise<Uint8Array<ArrayBuffer> | null> {
  for (let at = 12, left = MOST_SEGMENTS; left > 0; left -= 1) {
    const header = await read(at, 8);
    if (header.length < 8) return null;
    const length = viewOf(header).getUint32(4, true);
    if (textOf(header.subarray(0, 4)) === 'EXIF') return read(at + 8, length);
    at += 8 + length + (length % 2);
  }
  return null;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes);
