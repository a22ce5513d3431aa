import { buffer } from 'node:stream/consumers';
import type { Files } from '../../../base/server/files/files.ts';

/** The size limits of the cache and of one entry, in bytes. A usual thumbnail has a tenth of the latter. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ENTRY_BYTES = 128 * 1024;

/**
 * A least-recently-used cache of thumbnails: opening and reading a file of ten kilobytes costs more than the rest of the
 * request. The bytes behind a stored name never change. The caller checks access on every request.
 */
export class ThumbnailCache {
  readonly #files: Pick<Files, 'read'>;
  readonly #entries = new Map<string, Buffer>();
  #bytes = 0;

  constructor(files: Pick<Files, 'read'>) {
    this.#files = files;
  }

  /** Returns a cached thumbnail, and marks it as used. */
  get(name: string): Buffer | undefined {
    const cached = this.#entries.get(name);
    if (cached) {
      this.#entries.delete(name);
      this.#entries.set(name, cached);
    }
    return cached;
  }

  /**
   * Reads a thumbnail from the store and caches it.
   * @param bytes its size
   * @returns null if it is too large to cache
   * @throws FileMissing
   */
  async read(name: string, bytes: number): Promise<Buffer | null> {
    if (bytes > MAX_ENTRY_BYTES) return null;
    const read = await buffer(await this.#files.read(name));
    if (!this.#entries.has(name)) {
      this.#entries.set(name, read);
      this.#bytes += read.length;
    }
    for (const [oldest, { length }] of this.#entries) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#entries.delete(oldest);
      this.#bytes -= length;
    }
    return read;
  }
}
