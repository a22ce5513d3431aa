import { createHash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FileDigest, isSameDigest } from './digest.ts';
import { flushFolder } from './flush.ts';
import { createFile, FOLDER_MODE, writeAll } from './private-files.ts';

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

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
