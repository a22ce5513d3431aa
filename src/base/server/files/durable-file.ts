import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createFile, FOLDER_MODE, flushFolder, isMissing, writeAll } from './incoming.ts';

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
    if (expected !== undefined && !isSameDigest(written, expected)) return null;
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
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await flushFolder(dirname(folder));
}

async function write(path: string, open: () => Chunks | Promise<Chunks>, maxBytes = Infinity): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await createFile(path);
  try {
    for await (const chunk of await open()) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      await writeAll(file, chunk);
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

  async *of<Chunk extends Uint8Array>(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    for await (const chunk of chunks) {
      this.#hash.update(chunk);
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  /** The digest. Call it once, after the last byte. */
  result(): FileDigest {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** Reads a stream to its end and returns its digest. */
export async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const reader = new DigestingReader();
  for await (const _ of reader.of(chunks)) continue;
  return reader.result();
}

/** Returns the digest of a file, or null if it doesn't exist or can't be read. */
export async function digestOfFile(path: string): Promise<FileDigest | null> {
  try {
    return await digestOf(createReadStream(path));
  } catch (error) {
    if (isMissing(error) || isUnreadable(error)) return null;
    throw error;
  }
}

/** Error codes of a file that exists but can't be read. */
const UNREADABLE = new Set(['EIO', 'EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EUCLEAN', 'EBADMSG']);

/**
 * Whether reading a file failed because of the file itself, for example a bad sector. Such an error must not keep a job
 * from the other files.
 */
export function isUnreadable(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && UNREADABLE.has(String(error.code));
}

/** Whether two digests have the same size and hash. */
export function isSameDigest(one: FileDigest, other: FileDigest): boolean {
  return one.bytes === other.bytes && one.sha256 === other.sha256;
}
