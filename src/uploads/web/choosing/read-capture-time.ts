import { capturedAt } from '../../../memories/capture-time.ts';
import { MAX_EXIF_TEXT, readExifBlock } from '../../../memories/exif-block.ts';
import { readExifTexts } from '../../../memories/exif-texts.ts';
import { piecesOf, throughWindow } from '../../../memories/photo-file-pieces.ts';

/**
 * Reads the capture time of a photo on the device: milliseconds UTC, or null if unknown. It reads the starts of the file's
 * pieces, and at most 64 KB of its EXIF block.
 * @param zone the IANA zone for a photo without an offset
 */
export async function readCaptureTime(file: Blob, zone: string): Promise<number | null> {
  try {
    const read = throughWindow(
      async (at, length) => new Uint8Array(await file.slice(at, at + Math.max(0, length)).arrayBuffer()),
    );
    const exif = await readExifBlock(piecesOf(read), read, unpack);
    if (exif === null) return null;
    const texts = readExifTexts(new DataView(exif.buffer, exif.byteOffset, exif.length));
    return capturedAt(texts, { zone, now: Date.now() });
  } catch {
    // An unreadable photo has no capture time. Sending it reports the error.
    return null;
  }
}

async function unpack(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array | null> {
  const unpacked = new Uint8Array(MAX_EXIF_TEXT);
  let length = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return unpacked.subarray(0, length);
    if (length + value.length > unpacked.length) {
      await reader.cancel();
      return null;
    }
    unpacked.set(value, length);
    length += value.length;
  }
}
