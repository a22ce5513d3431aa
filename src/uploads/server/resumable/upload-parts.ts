import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { createFile, writeAll } from '../../../base/server/files/private-files.ts';
import { newStem, partName } from '../../../memories/server/stored-names.ts';
import { type ReceivedFile, receiveFile } from '../receive-file.ts';
import {
  acknowledgePart,
  deletePart,
  insertPart,
  listAllPartStems,
  listParts,
  type UploadPart,
  type UploadRow,
} from './upload-store.ts';

const PART_TYPE = 'application/octet-stream';

/** The refusal of a part that does not start at the upload's offset. */
export function wrongOffset(): Refusal {
  return new Refusal(
    409,
    'This part does not start at the upload’s offset. Ask for the offset, and continue from there.',
    {
      retryAfter: 1,
    },
  );
}

/**
 * Stores one part in a file of its own, which works the same on disk and on S3, on one node or several. If the connection
 * breaks, the bytes received so far are kept.
 * @returns how many bytes are stored, flushed and acknowledged
 * @throws Refusal 409 if the upload has grown since; what the stream throws, after the received bytes are stored
 */
export async function storePart(deps: Deps, upload: UploadRow, startsAt: number, stream: Readable): Promise<number> {
  const path = deps.files.temporary();
  try {
    const { length, broken } = await receive(path, stream);
    deps.crashPoint('part received');
    if (length > 0) await saveStoredPart(deps, upload, { path, startsAt, length });
    if (broken !== null) throw broken;
    return length;
  } finally {
    // A local folder has moved the file away. With S3 it is still here.
    await rm(path, { force: true });
  }
}

async function receive(path: string, stream: Readable): Promise<{ length: number; broken: Error | null }> {
  const file = await createFile(path);
  let length = 0;
  try {
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      await writeAll(file, bytes);
      length += bytes.length;
    }
    return { length, broken: null };
  } catch (error) {
    // A full disk is not a broken connection, so the part is not stored.
    if (error instanceof Error && 'syscall' in error && error.syscall === 'write') throw error;
    return { length, broken: error instanceof Error ? error : new Error('The connection broke') };
  } finally {
    await file.close();
  }
}

async function saveStoredPart(
  { db, files, crashPoint }: Deps,
  { coupleId, id: uploadId }: UploadRow,
  { path, startsAt, length }: { path: string; startsAt: number; length: number },
): Promise<void> {
  const stem = newStem();
  await db.write((tx) => insertPart(tx, coupleId, { uploadId, stem, startsAt }));
  crashPoint('part recorded');
  await files.put(partName(coupleId, stem), path, PART_TYPE);
  crashPoint('part stored');
  if (!(await db.write((tx) => acknowledgePart(tx, coupleId, { uploadId, stem, startsAt, length })))) {
    await files.remove(partName(coupleId, stem));
    await db.write((tx) => deletePart(tx, coupleId, uploadId, stem));
    throw wrongOffset();
  }
  crashPoint('part acknowledged');
}

/** Joins an upload's parts into a local file, and hashes them. */
export async function joinParts(
  { db, files }: Deps,
  upload: UploadRow,
  path: string,
  onPart: () => void,
): Promise<ReceivedFile> {
  const { coupleId, id, sizeBytes, deviceName } = upload;
  const parts = await listParts(db.read, coupleId, id);
  const file = await receiveFile(bytesOf(files, coupleId, parts, onPart), path, deviceName);
  if (file.size !== sizeBytes) throw new Error('Parts of an upload are missing');
  return file;
}

async function* bytesOf(
  files: Deps['files'],
  coupleId: CoupleId,
  parts: readonly UploadPart[],
  onPart: () => void,
): AsyncGenerator<Buffer> {
  let size = 0;
  for (const { stem, startsAt, length } of parts) {
    if (startsAt !== size) throw new Error('The parts of an upload are not contiguous');
    for await (const bytes of (await files.read(partName(coupleId, stem))) as AsyncIterable<Buffer>) {
      size += bytes.length;
      yield bytes;
    }
    if (size !== startsAt + length) throw new Error('A part of an upload has the wrong length');
    onPart();
  }
}

/** Deletes an upload's parts: each file, then its row. */
export async function deleteParts({ db, files }: Deps, coupleId: CoupleId, uploadId: string): Promise<void> {
  for (const stem of await listAllPartStems(db.read, coupleId, uploadId)) {
    await files.remove(partName(coupleId, stem));
    await db.write((tx) => deletePart(tx, coupleId, uploadId, stem));
  }
}
