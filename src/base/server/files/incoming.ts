import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Photos are private: only the owner of the process may read its folders and files. */
export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** The folder for incoming files with an S3 bucket, in `DATA_DIR`. */
export const INCOMING_FOLDER = 'incoming';

/** A folder for incoming files. It is always on the local disk, also with an S3 bucket. */
export class Incoming {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<Incoming> {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    return new Incoming(folder);
  }

  /** Returns an unused path. */
  temporary(): string {
    return join(this.#folder, `${randomBytes(16).toString('hex')}.part`);
  }

  /** Lists the files in the folder, with the time of their last write in milliseconds. */
  leftovers(): Promise<{ path: string; writtenAt: number }[]> {
    return leftoversIn(this.#folder);
  }
}

/** Lists the temporary files in a folder, with the time of their last write in milliseconds. None if it doesn't exist. */
export async function leftoversIn(folder: string): Promise<{ path: string; writtenAt: number }[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('.part'))
      .map(async (name) => {
        const path = join(folder, name);
        // Its upload may have finished since.
        const stats = await lstat(path).catch(() => null);
        return stats === null ? [] : [{ path, writtenAt: stats.mtimeMs }];
      }),
  );
  return found.flat();
}

/** Writes all bytes. A single write to a nearly full disk may write only some of them. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at);
    at += bytesWritten;
  }
}

/** Creates a file that only its owner can read, and opens it for writing. */
export function createFile(path: string): Promise<FileHandle> {
  return open(path, 'wx', FILE_MODE);
}

/** Flushes a file's bytes to the disk. */
export async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes a folder, so that the names in it survive a power cut. Windows neither supports nor needs this. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Returns whether an error means that a file doesn't exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Returns whether an error means that a file or folder of that name exists already. */
export function isAlreadyThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
