import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { createFile, writeBatch } from '../../base/server/files/local.ts';
import { releaseBuffer } from '../../base/server/release-buffer.ts';
import { HEAD_LENGTH } from '../../memories/server/pictures/photo-type.ts';

/** A received file on the local disk. */
export interface ReceivedFile {
  readonly path: string;
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** Its first bytes. */
  readonly head: Buffer;
  /** Its name on the device, as it was sent and not cleaned. */
  readonly rawName: string;
}

/** The bytes of one write: four times as many as a socket delivers at once. */
const BATCH_BYTES = 256 * 1024;

/**
 * Writes a stream to a new file and hashes it with SHA-256. It holds at most two batches, and takes ownership of the
 * chunks: their memory is released after the write. The file is always closed.
 * @throws whatever `bytes` throws, and write errors
 */
export async function receiveFile(bytes: AsyncIterable<Buffer>, path: string, rawName: string): Promise<ReceivedFile> {
  const file = await createFile(path);
  const writer = new BatchWriter(file);
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      if (head.length < HEAD_LENGTH) head = Buffer.concat([head, chunk.subarray(0, HEAD_LENGTH)]);
      hash.update(chunk);
      size += chunk.length;
      await writer.add(chunk);
    }
    await writer.end();
  } finally {
    await writer.settle();
    await file.close();
  }
  return { path, size, sha256: hash.digest('hex'), head: head.subarray(0, HEAD_LENGTH), rawName };
}

/** Writes a file in large batches: one is written while the next is collected. */
class BatchWriter {
  readonly #file: FileHandle;
  #batch: Buffer[] = [];
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @throws the error of the previous batch */
  async add(chunk: Buffer): Promise<void> {
    this.#batch.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= BATCH_BYTES) await this.#startNextWrite();
  }

  /** Resolves when everything is written. */
  async end(): Promise<void> {
    await this.#startNextWrite();
    await this.#writing;
  }

  /** Resolves when no write is running any more, and never rejects. */
  settle(): Promise<void> {
    return this.#writing.catch(() => undefined);
  }

  async #startNextWrite(): Promise<void> {
    await this.#writing;
    if (this.#bytes === 0) return;
    this.#writing = this.#write(this.#batch);
    // The next call awaits it and gets its error. Until then the rejection is not unhandled.
    this.#writing.catch(() => undefined);
    this.#batch = [];
    this.#bytes = 0;
  }

  async #write(batch: readonly Buffer[]): Promise<void> {
    await writeBatch(this.#file, batch);
    for (const chunk of batch) releaseBuffer(chunk);
  }
}
