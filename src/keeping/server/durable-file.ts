import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFile, FOLDER_MODE, flushFolder, isMissing, writeAll } from '../../base/server/files/local.ts';

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Size and hash of a file. */
export interface FileDigest {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/**
 * Writes a file atomically: it exists complete and flushed to disk, or not at all. Its folder is flushed too, so that
 * the name survives a power cut.
 * @param open opens the content. Called late, because a stream without a reader could fail with an unhandled error.
 * @param expected the required size and hash. If they differ, the file isn't kept; at most this many bytes are read.
 * @returns the digest of the file, or null if it wasn't the expected one
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

/** Makes a folder and its parents, and flushes each entry to disk, so that a power cut loses none. */
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

/** Computes the digest of bytes while they pass through to another reader. */
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

  /** The digest. Call it once, after the last byte. */
  result(): FileDigest {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** Reads a stream to its end and returns its digest. */
export async function digestOf(pieces: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const measuring = new DigestingReader();
  for await (const _ of measuring.of(pieces)) continue;
  return measuring.result();
}

/** Returns the digest of a file, or null if it doesn't exist. */
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
