import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Photographs are nobody else's business: folders are the owner's alone, and so is every file. */
export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** The folder of files that are still coming in: on the disk of this machine, whatever the photographs lie on. */
export class Incoming {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(dataDir: string): Promise<Incoming> {
    const folder = join(dataDir, 'incoming');
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    return new Incoming(folder);
  }

  /** A path that nobody has. */
  temporary(): string {
    return join(this.#folder, `${randomBytes(16).toString('hex')}.part`);
  }

  /** What lies there, with when it was last written, in milliseconds. */
  async leftovers(): Promise<{ path: string; writtenAt: number }[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.part'));
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        // It may have been finished meanwhile.
        const stats = await lstat(path).catch(() => null);
        return stats === null ? [] : [{ path, writtenAt: stats.mtimeMs }];
      }),
    );
    return found.flat();
  }
}

/** Writes all of it: a single write to a disk that is nearly full may take only a part. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at);
    at += bytesWritten;
  }
}

/** Writes all of these, one after the other, as a single write where the disk takes it. */
export async function writeBatch(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(pieces);
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  if (bytesWritten < size) await writeAll(file, Buffer.concat(pieces).subarray(bytesWritten));
}

/** Opens a new file to write, readable by the owner alone. */
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

/** Flushes a folder, so that the names in it survive a power cut. Windows has no such thing, and needs none. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Whether an error says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
