import { setTimeout as wait } from 'node:timers/promises';
import { digestOf, type FileDigest } from './digest.ts';
import { FileMissing, type Files, nullIfMissing } from './files.ts';
import { isUnreadable } from './missing-or-unreadable.ts';

type Source = Pick<Files, 'read' | 'isFaultOfFile'>;

/** A bucket may refuse an object for a moment only. */
const TRIES = 2;
const RETRY_MS = 1_000;

/**
 * Reads a file of the photo store. A file that can't be read, for example because of a bad sector or because a bucket
 * refuses this one, counts as missing, so that it doesn't keep a backup or a scrub from the other files.
 * @throws FileMissing; the store's other errors
 */
export async function* readStored(files: Source, name: string): AsyncGenerator<Uint8Array> {
  let passed = 0;
  for (let tries = 1; ; tries += 1) {
    try {
      let at = 0;
      for await (const chunk of (await files.read(name)) as AsyncIterable<Uint8Array>) {
        // What an earlier try has passed on is skipped.
        const rest = chunk.subarray(Math.max(0, passed - at));
        at += chunk.length;
        passed += rest.length;
        if (rest.length > 0) yield rest;
      }
      return;
    } catch (error) {
      await waitToRetry(files, name, error, tries);
    }
  }
}

/** Returns once the file may be read again. @throws FileMissing if this file is at fault; else the error */
async function waitToRetry(files: Source, name: string, error: unknown, tries: number): Promise<void> {
  if (error instanceof FileMissing) throw error;
  if (isUnreadable(error)) throw new FileMissing(name, { cause: error });
  if (!(await files.isFaultOfFile(error))) throw error;
  if (tries === TRIES) throw new FileMissing(name, { cause: error });
  await wait(RETRY_MS);
}

/** Returns the digest of a file of the photo store, or null if it is missing or can't be read. */
export function digestOfStored(files: Source, name: string): Promise<FileDigest | null> {
  return nullIfMissing(digestOf(readStored(files, name)));
}
