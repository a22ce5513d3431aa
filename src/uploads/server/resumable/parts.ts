import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { createFile, writeAll } from '../../../base/server/files/local.ts';
import { newStem, pieceName } from '../../../memories/server/names.ts';
import { type ReceivedFile, receiveFile } from '../receive-file.ts';
import {
  countPiece,
  forgetPiece,
  listPieces,
  notedPieces,
  notePiece,
  type Piece,
  type UploadRow,
} from './upload-store.ts';

const PIECE_FILE = 'application/octet-stream';

/** The refusal of a piece that does not begin where the last one ended. */
export function notTheNext(): Refusal {
  return new Refusal(409, 'This is not where the upload stands. Ask how much of it is here, and go on from there.', {
    retryAfter: 1,
  });
}

/**
 * Stores a piece as it streams in, each under a name of its own: a disk or a store, one node or several, it is the
 * same. What came before a connection broke is kept too. Answers how many bytes it was, once they are flushed and
 * counted.
 * @throws Refusal 409 where the upload has grown meanwhile; whatever the stream threw, after what came is kept
 */
export async function storePiece(deps: Deps, upload: UploadRow, startsAt: number, stream: Readable): Promise<number> {
  const path = deps.files.temporary();
  try {
    const { length, broken } = await receive(path, stream);
    deps.step('piece received');
    if (length > 0) await keepPiece(deps, upload, { path, startsAt, length });
    if (broken !== null) throw broken;
    return length;
  } finally {
    // On a disk it has moved away; for a store it is still here.
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
    // A full disk is no broken connection: what it took is not kept.
    if (error instanceof Error && 'syscall' in error && error.syscall === 'write') throw error;
    return { length, broken: error instanceof Error ? error : new Error('The connection broke') };
  } finally {
    await file.close();
  }
}

async function keepPiece(
  { db, files, step }: Deps,
  { coupleId, id: uploadId }: UploadRow,
  { path, startsAt, length }: { path: string; startsAt: number; length: number },
): Promise<void> {
  const stem = newStem();
  await db.write((tx) => notePiece(tx, coupleId, { uploadId, stem, startsAt }));
  step('piece noted');
  await files.put(pieceName(coupleId, stem), path, PIECE_FILE);
  step('piece stored');
  if (!(await db.write((tx) => countPiece(tx, coupleId, { uploadId, stem, startsAt, length })))) {
    await files.remove(pieceName(coupleId, stem));
    await db.write((tx) => forgetPiece(tx, coupleId, uploadId, stem));
    throw notTheNext();
  }
  step('piece acknowledged');
}

/** Puts an upload's pieces together in a local file, with their hash on the way. */
export async function joinPieces(
  { db, files }: Deps,
  upload: UploadRow,
  path: string,
  onPiece: () => void,
): Promise<ReceivedFile> {
  const { coupleId, id, sizeBytes, deviceName } = upload;
  const pieces = await listPieces(db.read, coupleId, id);
  const file = await receiveFile(bytesOf(files, coupleId, pieces, onPiece), path, deviceName);
  if (file.size !== sizeBytes) throw new Error('The pieces of an upload are not all there');
  return file;
}

async function* bytesOf(
  files: Deps['files'],
  coupleId: CoupleId,
  pieces: readonly Piece[],
  onPiece: () => void,
): AsyncGenerator<Buffer> {
  let size = 0;
  for (const { stem, startsAt, length } of pieces) {
    if (startsAt !== size) throw new Error('The pieces of an upload do not follow one another');
    for await (const bytes of (await files.read(pieceName(coupleId, stem))) as AsyncIterable<Buffer>) {
      size += bytes.length;
      yield bytes;
    }
    if (size !== startsAt + length) throw new Error('A piece of an upload is not as long as it was');
    onPiece();
  }
}

/** Removes an upload's pieces: their files, then what is known of them. */
export async function dropPieces({ db, files }: Deps, coupleId: CoupleId, uploadId: string): Promise<void> {
  for (const stem of await notedPieces(db.read, coupleId, uploadId)) {
    await files.remove(pieceName(coupleId, stem));
    await db.write((tx) => forgetPiece(tx, coupleId, uploadId, stem));
  }
}
