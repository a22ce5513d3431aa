import { type FileHandle, open } from 'node:fs/promises';

/** Photos are private: only the owner of the process may read its folders and files. */
export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

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
