import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import ZipStream from 'zip-stream';

/** So much may wait for the reader, in bytes. */
const CHUNK_BYTES = 256 * 1024;

/** A file of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly source: Readable | Buffer;
  /** Milliseconds. */
  readonly date: number;
  /** Pictures are compressed already. */
  readonly store?: boolean;
}

/**
 * An archive as it is put together: at no time more of it is in memory than its reader has asked for. Where something
 * goes wrong it breaks off, so that nobody takes it for whole.
 */
export function zipOf(entries: AsyncIterable<ZipEntry>, onError: (error: unknown) => void): Readable {
  const zip = new ZipStream({ level: 6 });
  const archive = bufferWrites();
  const writeEntries = async () => {
    for await (const entry of entries) await add(zip, entry);
    zip.finalize();
  };
  Promise.all([writeEntries(), pipeline(zip, archive)]).catch((error: unknown) => {
    // A reader that went away is no fault.
    if (!archive.destroyed) onError(error);
    zip.destroy();
    archive.destroy(error instanceof Error ? error : undefined);
  });
  return archive;
}

/** Adds a file, and waits until the reader has taken most of it. */
async function add(zip: ZipStream, { name, source, date, store = false }: ZipEntry): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const gone = () => reject(new Error('The reader of an archive went away'));
  zip.once('close', gone);
  try {
    if (zip.destroyed) gone();
    if (source instanceof Readable) source.on('error', reject);
    zip.entry(source, { name, store, date: new Date(date), mode: 0o644 }, (error) => {
      if (error) reject(error);
      else if (zip.writableLength < CHUNK_BYTES) resolve();
      // What is not read yet is not written further.
      else zip.once('drain', resolve);
    });
    await promise;
  } finally {
    zip.off('close', gone);
    zip.off('drain', resolve);
    if (source instanceof Readable) source.destroy();
  }
}

/** Gathers small writes to pieces that are worth sending: a ZIP's headers come in parts of two bytes. */
function bufferWrites(): Transform {
  const gathered = Buffer.allocUnsafe(CHUNK_BYTES);
  let length = 0;
  const take = () => {
    const piece = Buffer.from(gathered.subarray(0, length));
    length = 0;
    return piece;
  };
  return new Transform({
    writableHighWaterMark: CHUNK_BYTES,
    readableHighWaterMark: CHUNK_BYTES,
    transform(piece: Buffer, _encoding, done) {
      if (length + piece.length > CHUNK_BYTES && length > 0) this.push(take());
      if (piece.length >= CHUNK_BYTES) this.push(piece);
      else length += piece.copy(gathered, length);
      done();
    },
    flush(done) {
      if (length > 0) this.push(take());
      done();
    },
  });
}
