import readExif from 'exif-reader';
import { capturedAt, type PhotoTags } from '../../../memories/capture-time.ts';
import { findExif } from '../../exif-segment.ts';

/** How much of a photo is read at once. It nearly always contains the EXIF block. */
const HEAD_BYTES = 256 * 1024;

/**
 * Reads the capture time of a photo on the device: milliseconds UTC, or null if unknown.
 * @param zone the IANA zone for a photo without an offset
 */
export async function captureTimeOf(file: Blob, zone: string): Promise<number | null> {
  try {
    const head = await bytesOf(file, 0, HEAD_BYTES);
    const exif = await findExif(async (at, length) =>
      at + length <= head.length ? head.subarray(at, at + length) : bytesOf(file, at, Math.min(length, HEAD_BYTES)),
    );
    return exif === null ? null : capturedAt(tagsOf(exif), zone);
  } catch {
    // An unreadable photo has no capture time. Sending it reports the error.
    return null;
  }
}

async function bytesOf(file: Blob, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.slice(at, at + length).arrayBuffer());
}

function tagsOf(exif: Uint8Array<ArrayBuffer>): PhotoTags {
  return readExif(new ExifBytes(exif.slice().buffer) as unknown as Parameters<typeof readExif>[0]).Photo;
}

/** The part of Node's Buffer that exif-reader uses. */
class ExifBytes extends Uint8Array<ArrayBuffer> {
  get #view(): DataView {
    return new DataView(this.buffer, this.byteOffset, this.byteLength);
  }
  readInt8(at: number): number {
    return this.#view.getInt8(at);
  }
  readUInt16BE(at: number): number {
    return this.#view.getUint16(at);
  }
  readUInt16LE(at: number): number {
    return this.#view.getUint16(at, true);
  }
  readInt16BE(at: number): number {
    return this.#view.getInt16(at);
  }
  readInt16LE(at: number): number {
    return this.#view.getInt16(at, true);
  }
  readUInt32BE(at: number): number {
    return this.#view.getUint32(at);
  }
  readUInt32LE(at: number): number {
    return this.#view.getUint32(at, true);
  }
  readInt32BE(at: number): number {
    return this.#view.getInt32(at);
  }
  readInt32LE(at: number): number {
    return this.#view.getInt32(at, true);
  }
  override toString(_ascii?: string, start = 0, end = this.length): string {
    return String.fromCharCode(...this.subarray(start, end));
  }
}
