import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import ZipStream from 'zip-stream';

/** How many bytes may wait for the reader. */
const CHUNK_BYTES = 256 * 1024;

/** A file to add to a ZIP. */
export interface ZipEntry {
  readonly name: string;
  readonly source: Readable | Buffer;
  /** Milliseconds. */
  readonly date: number;
  /** Store without compression, for files that are already compressed. */
  readonly store?: boolean;
}

/**
 * Streams a ZIP of these entries with backpressure. If an entry fails, the stream is destroyed, so that nobody mistakes
 * the file for a complete one.
 * @param onError called with the error, unless the reader went away
 */
export function zipOf(entries: AsyncIterable<ZipEntry>, onError: (error: unknown) => void): Archive {
  const zip = new ZipStream({ level: 6 });
  const archive = new Archive();
  const writeEntries = async () => {
    for await (const entry of entries) await add(zip, entry);
    zip.finalize();
  };
  Promise.all([writeEntries(), pipeline(zip, archive)]).catch((error: unknown) => {
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

/** The bytes of a ZIP. Small writes are joined to larger chunks: the ZIP library writes headers two bytes at a time. */
export class Archive extends Transform {
  readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  #length = 0;
  #pushedAt = performance.now();

  constructor() {
    super({ writableHighWaterMark: CHUNK_BYTES, readableHighWaterMark: CHUNK_BYTES });
  }

  /** How long the same chunk has been waiting for the reader, in milliseconds. */
  waitingMs(): number {
    return this.readableLength === 0 ? 0 : performance.now() - this.#pushedAt;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#length + chunk.length > CHUNK_BYTES) this.#pushBuffer();
    if (chunk.length >= CHUNK_BYTES) this.#push(chunk);
    else this.#length += chunk.copy(this.#buffer, this.#length);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#pushBuffer();
    done();
  }

  #pushBuffer(): void {
    if (this.#length > 0) this.#push(Buffer.from(this.#buffer.subarray(0, this.#length)));
    this.#length = 0;
  }

  #push(chunk: Buffer): void {
    this.#pushedAt = performance.now();
    this.push(chunk);
  }
}
