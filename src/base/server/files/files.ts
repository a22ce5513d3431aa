import type { Readable } from 'node:stream';

/** A range of byte offsets. Both ends are included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The photo store: a folder or an S3-compatible bucket. The server chooses the names (`<coupleId>/<fileName>`). Stored
 * files are never changed, only removed. Every method throws StoreUnavailable while the store is unavailable.
 */
export interface Files {
  /**
   * Stores a complete local file. The promise resolves once the file survives a power cut: on disk, its bytes are
   * flushed, it is renamed into place and its folder is flushed; a bucket has acknowledged it with its checksum.
   * Returns the local path of its bytes: on disk, the new path; with a bucket, still the temporary file, which the
   * caller removes.
   */
  put(name: string, localPath: string, type: string): Promise<string>;
  /** Stores a few bytes from memory, with the same durability. */
  putBytes(name: string, bytes: Uint8Array, type: string): Promise<void>;
  /** The file's size in bytes, or null if it doesn't exist. */
  size(name: string): Promise<number | null>;
  /** Reads the file or a range of it. Throws FileMissing if it doesn't exist. */
  read(name: string, range?: ByteRange): Promise<Readable>;
  /** Whether this error of `read` or its stream is the fault of that one file: the store answers, also for another. */
  isFaultOfFile(error: unknown): Promise<boolean>;
  /** Provides the file on the local disk while `work` runs, for libraries that need a path. Throws FileMissing. */
  withLocal<T>(name: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Removes the file, if it exists. */
  remove(name: string): Promise<void>;
  /** Lists all names, or those of one couple. */
  list(coupleId?: string): AsyncIterable<string>;
  /** Reads the store's label, a short text that `list` leaves out. Null if the store has none. */
  readLabel(): Promise<string | null>;
  /** Writes the label, with the same durability as a photo. */
  writeLabel(text: string): Promise<void>;
  /**
   * Returns a path for a new temporary file on the local disk, in the folder that the sweep cleans up. Beside a folder of
   * photographs it is on the same disk, so that it can be renamed into place.
   */
  temporary(): string;
  /** Temporary files that a dead process left, with the time of their last write in milliseconds. */
  leftovers(): Promise<readonly { path: string; writtenAt: number }[]>;
  /** Throws if the store doesn't respond (`GET /readyz`). */
  check(): Promise<void>;
  /** Creates the bucket if it doesn't exist. A folder is created when it is opened. */
  create(): Promise<void>;
}

/** The store doesn't respond, or must not be used. The message is for the operator; clients get 503. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** The store is available and has no such file. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

/** Resolves with null if the file doesn't exist. */
export async function nullIfMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}

/** The name of the label, next to the couples' folders. No photo can have this name. */
export const LABEL_NAME = 'store.json';

const STORED_NAME = /^[0-9a-z-]{1,64}\/[0-9a-z]+(?:\.[0-9a-z]+){1,3}$/;

/** Returns whether the server could have chosen a name. The store gives access to no others. */
export function isStoredName(name: string): boolean {
  return STORED_NAME.test(name);
}

/** @throws Error for a name that the server can't have chosen, which is a bug */
export function assertStoredName(name: string): void {
  if (!isStoredName(name)) throw new Error('Not a name of a stored file');
}
