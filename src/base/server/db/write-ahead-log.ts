import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';

/**
 * A commit that other transactions see, but that a power cut may undo, because the disk failed to flush it. It can't be
 * rolled back or run again. The client gets 503.
 */
export class FlushFailed extends Error {
  override readonly name = 'FlushFailed';
  readonly code = 'EIO';
}

/**
 * Flushes a database's commits to disk with fdatasync. SQLite would call fsync, which also writes the time of the file's
 * last change, and so waits for the file system's journal and for photographs that are being written (decision 3).
 */
export class WriteAheadLog {
  readonly #connection: BetterSqlite3.Database;
  #file: number | undefined;
  /** The error of a failed flush, until what it left is on disk. The system may not write those bytes at the next flush. */
  #failure: unknown;

  /** @param connection the only one that writes, with `synchronous = NORMAL`: SQLite then flushes checkpoints only */
  constructor(connection: BetterSqlite3.Database) {
    this.#connection = connection;
  }

  /** Flushes the commits so far. @throws FlushFailed if they may not be on disk */
  flush(): void {
    try {
      // The log exists from the first commit on, and is the same file until the last connection is closed.
      this.#file ??= openSync(`${this.#connection.name}-wal`, 'r+');
      fdatasyncSync(this.#file);
    } catch (error) {
      this.#failure = error;
      this.ensureFlushed();
    }
  }

  /** After a failed flush, brings the commits to disk in another way. @throws FlushFailed if that fails too */
  ensureFlushed(): void {
    if (this.#failure === undefined) return;
    if (!this.#copyToDatabase()) throw new FlushFailed('The disk failed to flush a commit', { cause: this.#failure });
    this.#failure = undefined;
  }

  /** Copies the log into the database file and flushes that. Returns false if the disk fails, or a read needs the log. */
  #copyToDatabase(): boolean {
    try {
      const [copied] = this.#connection.pragma('wal_checkpoint(PASSIVE)') as [
        { busy: number; log: number; checkpointed: number },
      ];
      return copied.busy === 0 && copied.log === copied.checkpointed;
    } catch {
      return false;
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
