import { closeSync, fsyncSync, openSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';

/** The most bytes that are written to find out whether the disk works. */
const MAX_PROBE_BYTES = 16 * 1024 * 1024;
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * A database's log, and what may be lost of it. If a disk fails to write, Linux still shows the lost bytes to whoever reads
 * the file. On ext4, what is written in their place later is lost too, although its flush succeeds. SQLite knows nothing of
 * this, and takes their place for the next commit (decision 3).
 *
 * SQLite holds no locks on the log's file, so opening and closing it releases none.
 */
export class WriteAheadLog {
  readonly #writing: BetterSqlite3.Database;
  readonly #reading: BetterSqlite3.Database;
  readonly #file: string;
  #mustBeEmptied = false;
  #isCutOff = false;

  /**
   * Empties a log that was left: the last process may have died while the disk failed to flush a commit.
   * @param writing the connection for transactions
   * @param reading one without an open transaction
   */
  constructor(writing: BetterSqlite3.Database, reading: BetterSqlite3.Database) {
    this.#writing = writing;
    this.#reading = reading;
    this.#file = `${writing.name}-wal`;
    try {
      // If others are reading, they did this when they opened the database.
      this.#empty();
    } catch {
      this.#mustBeEmptied = true;
    }
  }

  /** Call it before each transaction. @throws an error if nothing can be saved yet, because the disk is full or fails */
  prepare(): void {
    if (!this.#mustBeEmptied) return;
    if (!this.#empty()) throw Object.assign(new Error('Others are reading the log'), { code: 'SQLITE_BUSY' });
    this.#mustBeEmptied = false;
  }

  /** Call it when a commit has failed. */
  commitFailed(): void {
    this.#isCutOff = false;
  }

  /**
   * Cuts off what a failed commit or another process left behind the last commit, so that the next one is written to new
   * pages. Call it in each transaction, under the write lock and before any change.
   */
  cutOff(): void {
    if (this.#isCutOff) return;
    const [state] = this.#reading.pragma('wal_checkpoint(NOOP)') as [{ busy: number; log: number }];
    if (state.busy !== 0 || state.log < 0) throw new Error('SQLite does not say where its log ends');
    const pageBytes = this.#reading.pragma('page_size', { simple: true }) as number;
    truncateSync(this.#file, state.log === 0 ? 0 : HEADER_BYTES + state.log * (FRAME_HEADER_BYTES + pageBytes));
    this.#isCutOff = true;
  }

  /** Copies the log into the database and empties it. Returns false if others are reading it. */
  #empty(): boolean {
    const bytes = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes === 0) return true;
    // What the disk fails to write to the database is lost in the same way.
    this.#probeDisk(Math.min(bytes, MAX_PROBE_BYTES));
    this.#writing.pragma('busy_timeout = 0');
    try {
      const [{ busy }] = this.#writing.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
      if (busy !== 0) return false;
    } finally {
      this.#writing.pragma('busy_timeout = 5000');
    }
    const handle = openSync(this.#file, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    return true;
  }

  /** @throws an error if the disk can't write */
  #probeDisk(bytes: number): void {
    const probe = `${this.#file}-probe`;
    try {
      writeFileSync(probe, Buffer.alloc(bytes), { mode: 0o600, flush: true });
    } finally {
      rmSync(probe, { force: true });
    }
  }
}
