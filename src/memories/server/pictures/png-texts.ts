import { open } from 'node:fs/promises';

/**
 * The most packed bytes of all texts of a PNG. The decoder unpacks each text a few times, to a thousand times its size: this
 * many take three seconds. Programs pack some kilobytes.
 */
const MAX_PACKED = 256 * 1024;
/** Programs write pieces of at least a few kilobytes. More, in 100 MB, mean a malicious file. */
const MAX_CHUNKS = 100_000;
/** A chunk's length and type, and of an `iTXt` also its keyword of up to 79 bytes, its end, and whether it is packed. */
const HEAD_BYTES = 8 + 79 + 2;

/** Whether the packed texts of a PNG take too long to unpack. It reads only the heads of the chunks. */
export async function hasTextBomb(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    let packed = 0;
    let at = 8;
    for (let count = 0; count < MAX_CHUNKS; count += 1) {
      const { bytesRead } = await file.read(head, 0, head.length, at);
      const type = head.toString('latin1', 4, 8);
      if (bytesRead < 8 || type === 'IEND') return false;
      const length = head.readUInt32BE(0);
      if (isPacked(type, head)) packed += length;
      if (packed > MAX_PACKED) return true;
      // The type and the checksum are not in the length.
      at += length + 12;
    }
    return true;
  } finally {
    await file.close();
  }
}

function isPacked(type: string, head: Buffer): boolean {
  return type === 'zTXt' || (type === 'iTXt' && head[head.indexOf(0, 8) + 1] !== 0);
}
