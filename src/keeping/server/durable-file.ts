import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFile, FOLDER_MODE, flushFolder, isMissing, writeAll } from '../../base/server/files/local.ts';

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** What a file was found, or written, to be. */
export interface FileDigest {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/**
 * Writes a file that is there whole and flushed, or not at all. Its folder is flushed too, so that the name survives
 * a power cut.
 * @param open begins to read what is to be written; a stream that nobody reads yet could fail unheard
 * @param wanted what it must turn out to be; where it does not, nothing is kept, and no more is read than its size
 * @returns what was written, or null where that was not wanted
 */
export async function writeDurably(
  path: string,
  open: () => Chunks | Promise<Chunks>,
  expected?: FileDigest,
): Promise<FileDigest | null> {
  const temporary = `${path}.part`;
  await makeDurableFolder(dirname(path));
  await rm(temporary, { force: true });
  try {
    const written = await write(temporary, open, expected?.bytes);
    if (expected !== undefined && !sameDigest(written, expected)) return null;
    await rename(temporary, path);
    await flushFolder(dirname(path));
    return written;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Makes a folder and those above it, and flushes the entry of each, so that none is lost in a power cut. */
export async function makeDurableFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await flushFolder(dirname(made));
}

async function write(path: string, open: () => Chunks | Promise<Chunks>, most = Infinity): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await createFile(path);
  try {
    for await (const piece of await open()) {
      hash.update(piece);
      bytes += piece.length;
      if (bytes > most) break;
      await writeAll(file, piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Measures bytes on their way to somebody else. */
export class DigestingReader {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  async *of<Piece extends Uint8Array>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    for await (const piece of pieces) {
      this.#hash.update(piece);
      this.#bytes += piece.length;
      yield piece;
    }
  }

  /** What they were; once, when all have passed. */
  result(): FileDigest {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** What these bytes are. */
export async function digestOf(pieces: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const measuring = new DigestingReader();
  for await (const _ of measuring.of(pieces)) continue;
  return measuring.result();
}

/** What a file is, or null where there is none. */
export async function digestOfFile(path: string): Promise<FileDigest | null> {
  try {
    return await digestOf(createReadStream(path));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export function sameDigest(one: FileDigest, other: FileDigest): boolean {
  return one.bytes === other.bytes && one.sha256 === other.sha256;
}
