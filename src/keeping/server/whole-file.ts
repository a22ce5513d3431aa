import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFile, FOLDER_MODE, flushFolder, isMissing, writeAll } from '../../base/server/files/local.ts';

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** What a file was found, or written, to be. */
export interface Written {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/**
 * Writes a file that is there whole and flushed, or not at all. Its folder is flushed too, so that the name survives
 * a power cut.
 * @param open begins to read what is to be written; a stream that nobody reads yet could fail unheard
 * @param wanted what it must turn out to be; where it does not, nothing is kept
 * @returns what was written, or null where that was not wanted
 */
export async function writeWhole(
  path: string,
  open: () => Pieces | Promise<Pieces>,
  wanted?: Written,
): Promise<Written | null> {
  const temporary = `${path}.part`;
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  await rm(temporary, { force: true });
  try {
    const written = await write(temporary, open);
    if (wanted !== undefined && !isSame(written, wanted)) return null;
    await rename(temporary, path);
    await flushFolder(dirname(path));
    return written;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function write(path: string, open: () => Pieces | Promise<Pieces>): Promise<Written> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await createFile(path);
  try {
    for await (const piece of await open()) {
      hash.update(piece);
      bytes += piece.length;
      await writeAll(file, piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** What these bytes are. */
export async function measure(pieces: AsyncIterable<Uint8Array>): Promise<Written> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** What a file is, or null where there is none. */
export async function measureFile(path: string): Promise<Written | null> {
  try {
    return await measure(createReadStream(path));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export function isSame(one: Written, other: Written): boolean {
  return one.bytes === other.bytes && one.sha256 === other.sha256;
}
