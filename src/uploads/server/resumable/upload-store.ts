import type { Selectable } from 'kysely';
import type { CoupleId } from '../../../base/ids.ts';
import type { Db, Reader, Writer } from '../../../base/server/db/db.ts';
import type { UploadsTable } from '../../../base/server/db/tables.ts';

/** Photographs that come in pieces, and their pieces. */
export type UploadRow = Selectable<UploadsTable>;

/** A piece that counts. */
export interface Piece {
  readonly stem: string;
  /** In bytes, as is its length. */
  readonly startsAt: number;
  readonly length: number;
}

export async function findUpload(reader: Reader, coupleId: CoupleId, id: string): Promise<UploadRow | null> {
  return (await uploads(reader, coupleId).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The upload that was begun with a key. */
export async function findUploadByKey(reader: Reader, coupleId: CoupleId, key: string): Promise<UploadRow | null> {
  return (await uploads(reader, coupleId).where('key', '=', key).executeTakeFirst()) ?? null;
}

/** Those begun before a time, save the ones that a request is at. */
export function uploadsBegunBefore(reader: Reader, coupleId: CoupleId, until: number, now: number) {
  return uploads(reader, coupleId)
    .where('createdAt', '<', until)
    .where((eb) => eb.or([eb('lockedBy', 'is', null), eb('lockedUntil', '<', now)]))
    .execute();
}

function uploads(reader: Reader, coupleId: CoupleId) {
  return reader.selectFrom('uploads').selectAll().where('coupleId', '=', coupleId);
}

/** Whether it could be added: of two begun at once with the same key, one is. */
export async function insertUpload(tx: Writer, row: UploadRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('uploads')
    .values(row)
    .onConflict((conflict) => conflict.columns(['coupleId', 'key']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Forgets an upload and its pieces, whose files are gone. */
export async function deleteUpload(tx: Writer, coupleId: CoupleId, id: string): Promise<void> {
  await tx.deleteFrom('uploads').where('coupleId', '=', coupleId).where('id', '=', id).execute();
}

/**
 * Writes what became of an upload, once. One that was refused lets go of its key.
 * @returns false where another request has settled it already, or it is gone
 */
export async function settleUpload(
  tx: Writer,
  coupleId: CoupleId,
  id: string,
  settled: { readonly memoryId: string } | { readonly refusal: string; readonly key: null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set(settled)
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('memoryId', 'is', null)
    .where('refusal', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Notes a piece that is about to be stored: whatever happens then, its bytes will be found. */
export async function notePiece(
  tx: Writer,
  coupleId: CoupleId,
  piece: { readonly uploadId: string; readonly stem: string; readonly startsAt: number },
): Promise<void> {
  await tx
    .insertInto('pieces')
    .values({ coupleId, ...piece, length: null })
    .execute();
}

/** Lets a stored piece count, where the upload is still as long as it was when the piece began; whether it was. */
export async function countPiece(
  tx: Writer,
  coupleId: CoupleId,
  { uploadId, stem, startsAt, length }: Piece & { readonly uploadId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set({ receivedBytes: startsAt + length })
    .where('coupleId', '=', coupleId)
    .where('id', '=', uploadId)
    .where('receivedBytes', '=', startsAt)
    .where('memoryId', 'is', null)
    .where('refusal', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await tx
    .updateTable('pieces')
    .set({ length })
    .where('coupleId', '=', coupleId)
    .where('uploadId', '=', uploadId)
    .where('stem', '=', stem)
    .execute();
  return true;
}

/** The pieces that count, in order. */
export async function listPieces(reader: Reader, coupleId: CoupleId, uploadId: string): Promise<Piece[]> {
  const rows = await reader
    .selectFrom('pieces')
    .select(['stem', 'startsAt', 'length'])
    .where('coupleId', '=', coupleId)
    .where('uploadId', '=', uploadId)
    .where('length', 'is not', null)
    .orderBy('startsAt')
    .execute();
  return rows.map(({ length, ...piece }) => ({ ...piece, length: length ?? 0 }));
}

/** Every piece of an upload that was noted, stored or not. */
export async function notedPieces(reader: Reader, coupleId: CoupleId, uploadId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('pieces')
    .select('stem')
    .where('coupleId', '=', coupleId)
    .where('uploadId', '=', uploadId)
    .execute();
  return rows.map(({ stem }) => stem);
}

export async function forgetPiece(tx: Writer, coupleId: CoupleId, uploadId: string, stem: string): Promise<void> {
  await tx
    .deleteFrom('pieces')
    .where('coupleId', '=', coupleId)
    .where('uploadId', '=', uploadId)
    .where('stem', '=', stem)
    .execute();
}

/** A request's hold on an upload. */
export interface Hold {
  readonly coupleId: CoupleId;
  readonly uploadId: string;
  /** Whose it is: random, one for each request. */
  readonly by: string;
}

/**
 * Takes hold of an upload that nobody holds, or whose holder has not said anything in time; otherwise lets the holder
 * know that another waits. Of an upload that is not there yet, everybody has hold.
 */
export function takeHold(
  { write }: Pick<Db, 'write'>,
  { coupleId, uploadId, by }: Hold,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  return write(async (tx) => {
    const row = tx.updateTable('uploads').where('coupleId', '=', coupleId).where('id', '=', uploadId);
    const taken = await row
      .set({ lockedBy: by, lockedUntil: until, lockWanted: 0 })
      .where((eb) => eb.or([eb('lockedBy', 'is', null), eb('lockedUntil', '<', now)]))
      .executeTakeFirst();
    if (taken.numUpdatedRows === 1n) return true;
    const wanted = await row.set({ lockWanted: 1 }).executeTakeFirst();
    return wanted.numUpdatedRows === 0n;
  });
}

/** Holds on; answers whether another waits for it. */
export function keepHold({ write }: Pick<Db, 'write'>, hold: Hold, until: number): Promise<boolean> {
  return write(async (tx) => {
    const row = await held(tx, hold).set({ lockedUntil: until }).returning('lockWanted').executeTakeFirst();
    return row?.lockWanted === 1;
  });
}

export async function releaseLease({ write }: Pick<Db, 'write'>, hold: Hold): Promise<void> {
  await write((tx) => held(tx, hold).set({ lockedBy: null, lockWanted: 0 }).execute());
}

function held(tx: Writer, { coupleId, uploadId, by }: Hold) {
  return tx
    .updateTable('uploads')
    .where('coupleId', '=', coupleId)
    .where('id', '=', uploadId)
    .where('lockedBy', '=', by);
}
