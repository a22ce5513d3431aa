import { buffer } from 'node:stream/consumers';
import type { Files } from '../../../base/server/files/files.ts';

/** Bytes of thumbnails that are held at most, and of one of them: a usual one has a tenth of that. */
const HELD = 16 * 1024 * 1024;
const LARGEST = 128 * 1024;

/**
 * Thumbnails lately asked for, in memory: opening and reading a file of ten kilobytes costs more than all the rest of
 * the answer. What lies under a stored name never changes; who may see it is asked anew each time, by whoever asks here.
 */
export class Thumbnails {
  readonly #files: Pick<Files, 'read'>;
  readonly #held = new Map<string, Buffer>();
  #bytes = 0;

  constructor(files: Pick<Files, 'read'>) {
    this.#files = files;
  }

  /** @returns its bytes where they are held; the one asked for last is let go last */
  get(name: string): Buffer | undefined {
    const held = this.#held.get(name);
    if (held) {
      this.#held.delete(name);
      this.#held.set(name, held);
    }
    return held;
  }

  /**
   * Reads one of so many bytes, and holds it.
   * @returns null where it is too large to be held
   * @throws FileMissing
   */
  async read(name: string, bytes: number): Promise<Buffer | null> {
    if (bytes > LARGEST) return null;
    const read = await buffer(await this.#files.read(name));
    if (!this.#held.has(name)) {
      this.#held.set(name, read);
      this.#bytes += read.length;
    }
    for (const [eldest, { length }] of this.#held) {
      if (this.#bytes <= HELD) break;
      this.#held.delete(eldest);
      this.#bytes -= length;
    }
    return read;
  }
}
