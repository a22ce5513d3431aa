import { type FileHandle, open } from 'node:fs/promises';

const EXTENSION = 0x21;
const IMAGE = 0x2c;

/**
 * Whether a GIF is all there. The decoder shows what there is of an animation that breaks off and finds no fault, so
 * its blocks are walked here, from one length to the next, to the end mark. Frames are not decoded.
 */
export async function isWholeGif(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const byteAt = windowOn(file);
    let at = 13 + tableSize(await byteAt(10));
    for (;;) {
      const block = await byteAt(at);
      if (block === EXTENSION) at += 2;
      else if (block === IMAGE) at += 11 + tableSize(await byteAt(at + 9));
      // The end mark; or what is no block at all, which the decoder has passed over.
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

/** The bytes of the colour table that these flags announce. */
function tableSize(flags = 0): number {
  return flags & 0x80 ? 3 << ((flags & 0x07) + 1) : 0;
}

/** Reads single bytes of a file, in order, by large pieces. */
function windowOn(file: FileHandle): (at: number) => Promise<number | undefined> {
  const piece = Buffer.alloc(64 * 1024);
  let from = 0;
  let length = 0;
  return async (at) => {
    if (at < from || at >= from + length) {
      from = at;
      ({ bytesRead: length } = await file.read(piece, 0, piece.length, at));
    }
    return at < from + length ? piece[at - from] : undefined;
  };
}
