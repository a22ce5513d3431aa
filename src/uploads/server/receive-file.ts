import { createHash } from 'node:crypto';
import { createFile, writeAll } from '../../base/server/files/private-files.ts';
import { HEAD_LENGTH } from '../../memories/server/pictures/photo-type.ts';

/** A received file on the local disk. */
export interface ReceivedFile {
  readonly path: string;
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** Its first bytes. */
  readonly head: Buffer;
  /** Its name on the device, as it was sent and not cleaned. */
  readonly rawName: string;
}

/**
 * Writes a stream to a new file and hashes it with SHA-256. The file is closed in any case. The caller limits
 * its size, and removes it after an error.
 * @throws whatever `bytes` throws, and write errors
 */
export async function receiveFile(bytes: AsyncIterable<Buffer>, path: string, rawName: string): Promise<ReceivedFile> {
  const file = await createFile(path);
  const hash = createHash('sha256');
  let head: Buffer = Buffer.alloc(0);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      if (head.length < HEAD_LENGTH) head = Buffer.concat([head, chunk.subarray(0, HEAD_LENGTH)]);
      hash.update(chunk);
      size += chunk.length;
      await writeAll(file, chunk);
    }
  } finally {
    await file.close();
  }
  return { path, size, sha256: hash.digest('hex'), head: head.subarray(0, HEAD_LENGTH), rawName };
}
