import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { inOrderAfter } from '../../base/server/db/in-order-after.ts';
import { readRowByRow } from '../../base/server/db/read-in-batches.ts';
import type { Deps } from '../../base/server/deps.ts';
import { attemptForCouple } from '../../base/server/jobs/attempt-for-couple.ts';
import { lockDate } from '../../dates/server/date-store.ts';
import { addedLater, type DateTimes, happenedAt } from '../happened-at.ts';
import type { MemoryRow } from './store.ts';

/**
 * Gives the memories of a date their place in the story again (memories.happened.2), after its actual times have changed. Only those without a
 * capture time follow the date. One in the trash gets its place when it is restored.
 */
export async function updateHappenedAtOf(
  tx: Writer,
  coupleId: CoupleId,
  date: DateTimes & { readonly id: string },
): Promise<void> {
  const undated = tx
    .updateTable('memories')
    .where('coupleId', '=', coupleId)
    .where('dateId', '=', date.id)
    .where('deletedAt', 'is', null)
    .where('takenAt', 'is', null)
    .where('correctedTakenAt', 'is', null);
  await undated.set(({ ref }) => ({ happenedAt: ref('uploadedAt') })).execute();
  const added = addedLater(date);
  if (added !== null) {
    await undated.where('uploadedAt', '>', added.after).set({ happenedAt: added.start }).execute();
  }
}

/** Gives one memory its place in the story. @param date its date, which the caller has locked */
export async function updateHappenedAt(tx: Writer, row: MemoryRow, date: DateTimes): Promise<MemoryRow> {
  const placed = { ...row, happenedAt: happenedAt(row, date) };
  await tx
    .updateTable('memories')
    .set({ happenedAt: placed.happenedAt })
    .where('coupleId', '=', row.coupleId)
    .where('id', '=', row.id)
    .execute();
  return placed;
}

/** Gives the memories that a node of an older version has added their place in the story. A step of the sweep. */
export async function fillMissingHappenedAt(deps: Deps, mayContinue: () => boolean = () => true): Promise<void> {
  const { db } = deps;
  for await (const row of readRowByRow<MemoryRow>((...page) => unplaced(db.read, ...page))) {
    if (!mayContinue()) return;
    await attemptForCouple(deps, row.coupleId, 'a memory was not placed in the story', () =>
      db.write(async (tx) => {
        const date = await lockDate(tx, row.coupleId, row.dateId);
        await updateHappenedAt(tx, row, date ?? { actualStartTime: null, actualEndTime: null });
      }),
    );
  }
}

/** The memories of all couples without a place in the story, after a given one. */
function unplaced(reader: Reader, after: MemoryRow | null, limit: number): Promise<MemoryRow[]> {
  const rows = reader.selectFrom('memories').selectAll().where('happenedAt', '=', 0);
  return inOrderAfter(rows, ['coupleId', 'id'], after && [after.coupleId, after.id])
    .limit(limit)
    .execute();
}
