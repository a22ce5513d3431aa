import { digestOf, type FileDigest, isUnreadable } from './durable-file.ts';
import { FileMissing, type Files } from './files.ts';

/**
 * Reads a file of the photo store. A file that can't be read, for example because of a bad sector, counts as missing, so
 * that it doesn't keep a backup or a scrub from the other files.
 * @throws FileMissing; the store's other errors
 */
export async function* readStored(files: Pick<Files, 'read'>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* (await files.read(name)) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw isUnreadable(error) ? new FileMissing(name, { cause: error }) : error;
  }
}

/** Returns the digest of a file of the photo store, or null if it is missing or can't be read. */
export async function digestOfStored(files: Pick<Files, 'read'>, name: string): Promise<FileDigest | null> {
  try {
    return await digestOf(readStored(files, name));
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}
