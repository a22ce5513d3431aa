import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { createFile, writeBatch } from '../../base/server/files/local.ts';
import { releaseBuffer } from '../../base/server/release-buffer.ts';
import { HEAD_LENGTH } from '../../memories/server/pictures/picture.ts';

/** A file as it came in: it lies on this machine's disk. */
export interface ReceivedFile {
  readonly path: string;
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** Its first bytes. */
  readonly head: Buffer;
  /** The name it had on the device, as it was sent. */
  readonly rawName: string;
}

/** Bytes that go to the disk in one write: four times as many as the network hands over at once. */
const BATCH = 256 * 1024;

/**
 * Brings bytes to a new file as they come, and takes their hash on the way; at most two batches are held. The pieces
 * are handed over for good. The file is closed when it is over, however that is.
 * @throws whatever `bytes` throws
 */
export async function receiveFile(bytes: AsyncIterable<Buffer>, path: string, rawName: string): Promise<ReceivedFile> {
  const file = await createFile(path);
  const batches = new Batches(file);
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let size = 0;
  try {
    for await (const piece of bytes) {
      if (head.length < HEAD_LENGTH) head = Buffer.concat([head, piece.subarray(0, HEAD_LENGTH)]);
      hash.update(piece);
      size += piece.length;
      await batches.add(piece);
    }
    await batches.end();
  } finally {
    await batches.rest();
    await file.close();
  }
  return { path, size, sha256: hash.digest('hex'), head: head.subarray(0, HEAD_LENGTH), rawName };
}

/** Few large writes to a file: one is under way while the next is gathered. */
class Batches {
  readonly #file: FileHandle;
  #gathered: Buffer[] = [];
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @throws what went wrong with the batch before */
  async add(piece: Buffer): Promise<void> {
    this.#gathered.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes >= BATCH) await this.#next();
  }

  /** Fulfilled when everything is written. */
  async end(): Promise<void> {
    await this.#next();
    await this.#writing;
  }

  /** Fulfilled when nothing is being written any more, whatever became of it. */
  rest(): Promise<void> {
    return this.#writing.catch(() => undefined);
  }

  async #next(): Promise<void> {
    await this.#writing;
    if (this.#bytes === 0) return;
    this.#writing = this.#write(this.#gathered);
    // Whoever comes next waits for it, and hears of it then.
    this.#writing.catch(() => undefined);
    this.#gathered = [];
    this.#bytes = 0;
  }

  async #write(batch: readonly Buffer[]): Promise<void> {
    await writeBatch(this.#file, batch);
    for (const piece of batch) releaseBuffer(piece);
  }
}
