import type { Selectable } from 'kysely';
import type { CoupleId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { inOrderAfter } from '../../../base/server/db/in-order-after.ts';
import type { UploadsTable } from '../../../base/server/db/tables/tables.ts';
import { hasLeaseEnded } from '../../../base/server/jobs/has-lease-ended.ts';
import type { LeaseRow } from '../../../base/server/jobs/lease.ts';
import { memoryLimits } from '../../../memories/rules.ts';

/** A resumable upload. */
export type UploadRow = Selectable<UploadsTable>;

/** The refusal of an upload that was started too long ago. It isn't 410, which says that the photograph was saved once. */
export function uploadExpired(): Refusal {
  return new Refusal(404, 'This upload has expired. Please start again.');
}

export function isExpired({ createdAt }: Pick<UploadRow, 'createdAt'>, now: number): boolean {
  return now - createdAt > memoryLimits.unfinishedMs;
}

/** A stored and acknowledged part of an upload. */
export interface UploadPart {
  readonly stem: string;
  /** Offset in bytes; `length` is in bytes too. */
  readonly startsAt: number;
  readonly length: number;
}

export async function findUpload(reader: Reader, coupleId: CoupleId, id: string): Promise<UploadRow | null> {
  return (await uploads(reader, coupleId).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The upload that was started with an `Idempotency-Key`. */
export async function findUploadByKey(reader: Reader, coupleId: CoupleId, key: string): Promise<UploadRow | null> {
  return (await uploads(reader, coupleId).where('key', '=', key).executeTakeFirst()) ?? null;
}

/** An old upload of any couple. */
export type OldUpload = Pick<UploadRow, 'coupleId' | 'id' | 'createdAt'>;

/**
 * The next uploads of all couples, after a given one, that were started before `until` (milliseconds) and that no request
 * has locked. For the sweep only.
 */
export function uploadsStartedBefore(
  reader: Reader,
  { until, now }: { readonly until: number; readonly now: number },
  after: OldUpload | null,
  limit: number,
): Promise<OldUpload[]> {
  const old = reader
    .selectFrom('uploads')
    .select(['coupleId', 'id', 'createdAt'])
    .where('createdAt', '<', until)
    .where((eb) => eb.or([eb('lockedBy', 'is', null), hasLeaseEnded('lockedUntil', now)]));
  return inOrderAfter(old, ['createdAt', 'coupleId', 'id'], after && [after.createdAt, after.coupleId, after.id])
    .limit(limit)
    .execute();
}

function uploads(reader: Reader, coupleId: CoupleId) {
  return reader.selectFrom('uploads').selectAll().where('coupleId', '=', coupleId);
}

/**
 * Adds an upload. It takes its key from an upload with the same key that was started before `expiredBefore`
 * (milliseconds), which only waits for the sweep.
 * @returns false if another request added one with the same key first
 */
export async function insertUpload(tx: Writer, row: UploadRow, expiredBefore: number): Promise<boolean> {
  if (row.key !== null) {
    await tx
      .updateTable('uploads')
      .set({ key: null })
      .where('coupleId', '=', row.coupleId)
      .where('key', '=', row.key)
      .where('createdAt', '<', expiredBefore)
      .execute();
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('uploads')
    .values(row)
    .onConflict((conflict) => conflict.columns(['coupleId', 'key']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes the row of an upload whose parts are deleted. */
export async function deleteUpload(tx: Writer, coupleId: CoupleId, id: string): Promise<void> {
  await tx.deleteFrom('uploads').where('coupleId', '=', coupleId).where('id', '=', id).execute();
}

/**
 * Writes the result of an upload once. A refused upload loses its key, so that the key can be used again.
 * @returns false if another request has settled it already, or it is deleted
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

/** Records a part before its file is stored, so that the file is found even if the server dies. */
export async function insertPart(
  tx: Writer,
  coupleId: CoupleId,
  part: { readonly uploadId: string; readonly stem: string; readonly startsAt: number },
): Promise<void> {
  await tx
    .insertInto('pieces')
    .values({ coupleId, ...part, length: null })
    .execute();
}

/** Acknowledges a stored part. @returns false if the upload has grown or was settled since the part started */
export async function acknowledgePart(
  tx: Writer,
  coupleId: CoupleId,
  { uploadId, stem, startsAt, length }: UploadPart & { readonly uploadId: string },
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

/** The acknowledged parts, in order. */
export async function listParts(reader: Reader, coupleId: CoupleId, uploadId: string): Promise<UploadPart[]> {
  const rows = await reader
    .selectFrom('pieces')
    .select(['stem', 'startsAt', 'length'])
    .where('coupleId', '=', coupleId)
    .where('uploadId', '=', uploadId)
    .where('length', 'is not', null)
    .orderBy('startsAt')
    .execute();
  return rows.map(({ length, ...part }) => ({ ...part, length: length ?? 0 }));
}

/** The stems of all recorded parts, stored or not. */
export async function listAllPartStems(reader: Reader, coupleId: CoupleId, uploadId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('pieces')
    .select('stem')
    .where('coupleId', '=', coupleId)
    .where('uploadId', '=', uploadId)
    .execute();
  return rows.map(({ stem }) => stem);
}

export async function deletePart(tx: Writer, coupleId: CoupleId, uploadId: string, stem: string): Promise<void> {
  await tx
    .deleteFrom('pieces')
    .where('coupleId', '=', coupleId)
    .where('uploadId', '=', uploadId)
    .where('stem', '=', stem)
    .execute();
}

/**
 * The lease on an upload, in its row. It can also be taken if the upload does not exist yet.
 * @param onWanted called when a renewal finds that another request waits for the lease
 */
export function uploadLease(coupleId: CoupleId, uploadId: string, onWanted: () => void): LeaseRow {
  const row = (tx: Writer) => tx.updateTable('uploads').where('coupleId', '=', coupleId).where('id', '=', uploadId);
  return {
    name: 'upload',
    take: async (tx, owner, { now, until }) => {
      const taken = await row(tx)
        .set({ lockedBy: owner, lockedUntil: until, lockWanted: 0 })
        .where((eb) => eb.or([eb('lockedBy', 'is', null), hasLeaseEnded('lockedUntil', now)]))
        .executeTakeFirst();
      if (taken.numUpdatedRows === 1n) return true;
      const wanted = await row(tx).set({ lockWanted: 1 }).executeTakeFirst();
      return wanted.numUpdatedRows === 0n;
    },
    extend: async (tx, owner, until) => {
      const held = await row(tx)
        .set({ lockedUntil: until })
        .where('lockedBy', '=', owner)
        .returning('lockWanted')
        .executeTakeFirst();
      if (held?.lockWanted === 1) onWanted();
      return held !== undefined;
    },
  };
}
