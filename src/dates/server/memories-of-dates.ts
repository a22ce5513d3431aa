import type { CoupleId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { DatesTable } from '../../base/server/db/tables/tables.ts';

/** The port through which dates use the photographs. The memories slice implements it. */
export interface MemoriesOfDates {
  /** Counts the memories that are not deleted, by date; of all dates if null. Dates without any may be missing. */
  countByDate(
    reader: Reader,
    coupleId: CoupleId,
    dateIds: readonly string[] | null,
  ): Promise<ReadonlyMap<string, number>>;
  /** Moves the memories of a date to the trash, in the transaction that moves the date. */
  trashWithDate(tx: Writer, coupleId: CoupleId, dateId: string, now: number): Promise<void>;
  /** Lets the memories of a date follow its actual times, in the transaction that changes them. */
  updateHappenedAtOf(
    tx: Writer,
    coupleId: CoupleId,
    date: Pick<DatesTable, 'id' | 'actualStartTime' | 'actualEndTime'>,
  ): Promise<void>;
}
