import { uuidv7 } from 'uuidv7';
import type { CoupleId } from '../../base/ids.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { DatesTable } from '../../base/server/db/tables/tables.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import { type OptionalTextName, optionalTextsOf } from '../optional-texts.ts';

/** A planned date as stored. */
export type DateRow = DatesTable;

/** The columns from which 'We went!' is undone. */
export type WentFields = Pick<DateRow, 'wentBy' | 'wentVersion' | 'notesBeforeWent' | 'updatedAtBeforeWent'>;

/** The values of a date that was not completed by 'We went!', or has changed since. */
export const NOT_WENT: WentFields = {
  wentBy: null,
  wentVersion: null,
  notesBeforeWent: null,
  updatedAtBeforeWent: null,
};

/** The fields that planning and editing set. */
export type PlannedFields = Pick<DateRow, 'plannedDateTime' | 'endDateTime' | OptionalTextName>;

/** What a new date has, if it isn't planned but has happened. */
type PastFields = Pick<DateRow, 'status' | 'actualStartTime' | 'actualEndTime'>;

/** Inserts a date, planned unless `fields` say otherwise. @returns its row */
export async function insertDate(
  tx: Writer,
  { coupleId, userId }: Viewer,
  ideaId: string,
  fields: PlannedFields & Partial<PastFields>,
  now: number,
): Promise<DateRow> {
  const row: DateRow = {
    coupleId,
    id: uuidv7(),
    ideaId,
    status: fields.status ?? 'Planned',
    plannedDateTime: fields.plannedDateTime,
    endDateTime: fields.endDateTime,
    ...optionalTextsOf(fields),
    actualStartTime: fields.actualStartTime ?? null,
    actualEndTime: fields.actualEndTime ?? null,
    deletedAt: null,
    deletedBy: null,
    plannedBy: userId,
    notLookedBackBy: null,
    ...NOT_WENT,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  await tx.insertInto('dates').values(row).execute();
  return row;
}

/** Reads a date and locks it until the transaction ends, so that concurrent changes run one after the other. */
export function lockDate(tx: Writer, coupleId: CoupleId, id: string): Promise<DateRow | undefined> {
  return tx
    .updateTable('dates')
    .set((row) => ({ version: row.ref('version') }))
    .where('coupleId', '=', coupleId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** The fields that may change. */
export type DateChanges = Partial<
  PlannedFields & WentFields & Pick<DateRow, 'status' | 'actualStartTime' | 'actualEndTime' | 'updatedAt'>
>;

/**
 * Changes a locked date. If nothing changes, it keeps its version. `updatedAt` is
 * `now` unless `changes` has another.
 * @param isOther whether something changes that isn't a column of the date
 * @returns whether something changed
 */
export async function updateDate(
  tx: Writer,
  coupleId: CoupleId,
  before: DateRow,
  changes: DateChanges,
  now: number,
  isOther = false,
): Promise<boolean> {
  const same =
    !isOther && (Object.keys(changes) as (keyof DateChanges)[]).every((name) => changes[name] === before[name]);
  if (same) return false;
  await tx
    .updateTable('dates')
    .set({ updatedAt: now, ...NOT_WENT, ...changes, version: before.version + 1 })
    .where('coupleId', '=', coupleId)
    .where('id', '=', before.id)
    .execute();
  return true;
}
