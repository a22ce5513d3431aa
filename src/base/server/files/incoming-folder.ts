import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './missing-or-unreadable.ts';
import { FOLDER_MODE } from './private-files.ts';

/** The folder for incoming files with an S3 bucket, in `DATA_DIR`. */
export const INCOMING_FOLDER = 'incoming';

/** A folder for incoming files. It is always on the local disk, also with an S3 bucket. */
export class IncomingFolder {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<IncomingFolder> {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    return new IncomingFolder(folder);
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
