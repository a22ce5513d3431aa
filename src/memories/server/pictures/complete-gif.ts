import { type FileHandle, open } from 'node:fs/promises';

const EXTENSION = 0x21;
const IMAGE = 0x2c;

/**
 * Whether a GIF is complete. The decoder accepts a truncated animation, so this walks the blocks, from one length to the
 * next, up to the end marker. It decodes no frame.
 */
export async function isCompleteGif(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const byteAt = bufferedReader(file);
    let at = 13 + tableSize(await byteAt(10));
    for (;;) {
      const block = await byteAt(at);
      if (block === EXTENSION) at += 2;
      else if (block === IMAGE) at += 11 + tableSize(await byteAt(at + 9));
      // The end marker, or bytes that are no block, which the decoder ignores.
      else return block !== undefined;
      for (let size: number | undefined = -1; size !== 0; at += size + 1) {
        size = await byteAt(at);
        if (size === undefined) return false;
      }
    }
  } finally {
    await file.close();
  }
}

/** The size in bytes of the color table that these flags announce. */
function tableSize(flags = 0): number {
  return flags & 0x80 ? 3 << ((flags & 0x07) + 1) : 0;
}

/** Reads single bytes at ascending offsets through a buffer; undefined past the end. */
function bufferedReader(file: FileHandle): (at: number) => Promise<number | undefined> {
  const buffer = Buffer.alloc(64 * 1024);
  let from = 0;
  let length = 0;
  return async (at) => {
    if (at < from || at >= from + length) {
      from = at;
      ({ bytesRead: length } = await file.read(buffer, 0, buffer.length, at));
    }
    return at < from + length ? buffer[at - from] : undefined;
  };
}
