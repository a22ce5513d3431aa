import type { Readable } from 'node:stream';

/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where photographs lie: a folder, or an S3-compatible store. Names are ours (`<coupleId>/<fileName>`), never an
 * uploader's. What is stored is never changed, only removed. Every call throws Refusal 503 where the store is out of
 * reach.
 */
export interface Files {
  /**
   * Stores a finished local file under a name, and is done when it will survive a power cut: on disk its bytes are
   * flushed, it is renamed into place and its folder flushed; a store has acknowledged it with its checksum. Answers
   * where its bytes can still be read on this machine: on disk the file has moved there, with a store it stays what it
   * was, a temporary file that is for the caller to remove.
   */
  put(name: string, localPath: string, type: string): Promise<string>;
  /** The same promise, for a few bytes in memory. */
  putBytes(name: string, bytes: Uint8Array, type: string): Promise<void>;
  /** Its size in bytes, or null where there is none. */
  size(name: string): Promise<number | null>;
  /** Its bytes, or a part of them. Throws FileMissing where there is none. */
  read(name: string, range?: ByteRange): Promise<Readable>;
  /** Lends it as a file on this machine's disk while `work` runs, for readers that take a path. Throws FileMissing. */
  withLocal<T>(name: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Removes it; one that is not there is no error. */
  remove(name: string): Promise<void>;
  /** When it was stored, in milliseconds, or null where there is none. */
  storedAt(name: string): Promise<number | null>;
  /** Every name there is, of one couple where its id is given. */
  list(coupleId?: string): AsyncIterable<string>;
  /** The store's label: a short text of ours that `list` leaves out. Null where it has none. */
  readLabel(): Promise<string | null>;
  /** Writes the label as durably as a photograph. */
  writeLabel(text: string): Promise<void>;
  /** A path for a new temporary file on this machine's disk, in the folder that the sweep looks through. */
  temporary(): string;
  /** Temporary files left by a process that died, with when they were last written. */
  leftovers(): Promise<readonly { path: string; writtenAt: number }[]>;
  /** Throws where the store does not answer (`GET /readyz`). */
  check(): Promise<void>;
}

/** The store answers, and has no such file. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

/** Where the label lies, beside the couples' folders. No photograph has such a name. */
export const LABEL_NAME = 'store.json';

const OUR_NAME = /^[0-9a-z-]{1,64}\/[0-9a-z]+(?:\.[0-9a-z]+){1,3}$/;

/** Whether a name is one that we give: nothing else can be reached in the folder or the bucket. */
export function isOurName(name: string): boolean {
  return OUR_NAME.test(name);
}

/** Throws on a name that is not ours, which would be a mistake of ours. */
export function assertOurName(name: string): void {
  if (!isOurName(name)) throw new Error('A file under a name that we do not give');
}
