import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import ZipStream from 'zip-stream';
import { inChunks } from '../../../base/server/files/in-chunks.ts';

/** How many bytes may wait for the reader before the next entry is added. */
const CHUNK_BYTES = 256 * 1024;

/** A file to add to a ZIP. */
export interface ZipEntry {
  /** The path in the ZIP. */
  readonly name: string;
  readonly source: Readable | Buffer;
  /** When the file was last changed, in milliseconds. */
  readonly date: number;
  /** Store without compression, for files that are already compressed. */
  readonly store?: boolean;
}

/**
 * Streams a ZIP of these entries with backpressure. If an entry fails, the stream is destroyed, so that nobody mistakes
 * the file for a complete one.
 * @param onError called with the error, unless the reader went away
 */
export function zipOf(entries: AsyncIterable<ZipEntry>, onError: (error: unknown) => void): Readable {
  const zip = new ZipStream({ level: 6 });
  const archive = new PassThrough();
  const writeEntries = async () => {
    for await (const entry of entries) await add(zip, entry);
    zip.finalize();
  };
  // The library writes headers two bytes at a time.
  Promise.all([writeEntries(), pipeline(zip, inChunks, archive)]).catch((error: unknown) => {
    // A reader that went away isn't an error.
    if (!archive.destroyed) onError(error);
    zip.destroy();
    archive.destroy(error instanceof Error ? error : undefined);
  });
  return archive;
}

/** Adds a file, and waits until the reader has consumed most of it. */
async function add(zip: ZipStream, { name, source, date, store = false }: ZipEntry): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = () => reject(new Error('The reader of an archive went away'));
  zip.once('close', onClose);
  try {
    if (zip.destroyed) onClose();
    if (source instanceof Readable) source.on('error', reject);
    zip.entry(source, { name, store, date: new Date(date), mode: 0o644 }, (error) => {
      if (error) reject(error);
      else if (zip.writableLength < CHUNK_BYTES) resolve();
      // Wait for the reader.
      else zip.once('drain', resolve);
    });
    await promise;
  } finally {
    zip.off('close', onClose);
    zip.off('drain', resolve);
    if (source instanceof Readable) source.destroy();
  }
}
