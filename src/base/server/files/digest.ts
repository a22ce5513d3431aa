import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isMissing, isUnreadable } from './missing-or-unreadable.ts';

/** Size and hash of a file. */
export interface FileDigest {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
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

/** Whether two digests have the same size and hash. */
export function isSameDigest(one: FileDigest, other: FileDigest): boolean {
  return one.bytes === other.bytes && one.sha256 === other.sha256;
}
