import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { CoupleId } from '../../../base/ids.ts';
import { formatInstant } from '../../../base/instants.ts';
import type { Reader, Writer } from '../../../base/server/db/db.ts';
import { OwnerGone } from '../../../base/server/db/faults.ts';
import type { CouplesTable } from '../../../base/server/db/tables/tables.ts';
import { usableZone } from '../../../base/time-zones.ts';
import type { Couple } from '../../contract.ts';

/** @throws OwnerGone if the space was deleted */
export async function readCouple(reader: Reader, coupleId: CoupleId): Promise<Couple> {
  const row = await reader
    .selectFrom('couples')
    .select(['id', 'togetherSince', 'timeZone', 'createdAt'])
    .where('id', '=', coupleId)
    .executeTakeFirstOrThrow(() => new OwnerGone());
  return { ...row, timeZone: usableZone(row.timeZone), createdAt: formatInstant(row.createdAt) };
}

export async function insertCouple(tx: Writer, timeZone: string, now: number): Promise<CoupleId> {
  const id = uuidv7() as CoupleId;
  await tx.insertInto('couples').values({ id, togetherSince: null, timeZone, createdAt: now }).execute();
  return id;
}

export async function updateCouple(
  tx: Writer,
  coupleId: CoupleId,
  changes: Partial<Pick<CouplesTable, 'togetherSince' | 'timeZone'>>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await tx.updateTable('couples').set(changes).where('id', '=', coupleId).execute();
}

/** Locks a couple until the transaction ends, so that joins, invitations and deletions run one after the other. */
export async function lockCouple(tx: Writer, coupleId: CoupleId): Promise<void> {
  await tx.updateTable('couples').set({ id: sql<CoupleId>`id` }).where('id', '=', coupleId).execute();
}
