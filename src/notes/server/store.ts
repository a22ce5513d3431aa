import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { NotesTable } from '../../base/server/db/tables/tables.ts';

/** A note as stored. What of it a partner may know, `notesVisibleTo` decides. */
export type NoteRow = Omit<NotesTable, 'coupleId'>;

/** Reads the notes of a date, also of one in the trash; of all dates if null. */
export function readNotes(reader: Reader, coupleId: CoupleId, dateId: string | null): Promise<NoteRow[]> {
  return readFrom('notes', reader, coupleId, dateId);
}

/** Reads the opened notes of partners who have left, of a date or of all dates. */
export function readLeftNotes(reader: Reader, coupleId: CoupleId, dateId: string | null): Promise<NoteRow[]> {
  return readFrom('leftNotes', reader, coupleId, dateId);
}

function readFrom(
  table: 'notes' | 'leftNotes',
  reader: Reader,
  coupleId: CoupleId,
  dateId: string | null,
): Promise<NoteRow[]> {
  return reader
    .selectFrom(table as 'notes')
    .select(['dateId', 'userId', 'text', 'hearts', 'writtenAt'])
    .where('coupleId', '=', coupleId)
    .$if(dateId !== null, (query) => query.where('dateId', '=', dateId))
    .orderBy('dateId')
    .orderBy('userId')
    .execute();
}

/** Writes a user's note of a date, or replaces it. */
export async function writeNote(tx: Writer, coupleId: CoupleId, note: NoteRow): Promise<void> {
  const { text, hearts, writtenAt } = note;
  await tx
    .insertInto('notes')
    .values({ coupleId, ...note })
    .onConflict((conflict) =>
      conflict.columns(['coupleId', 'dateId', 'userId']).doUpdateSet({ text, hearts, writtenAt }),
    )
    .execute();
}

/** Deletes a user's note of a date. */
export async function deleteNote(tx: Writer, coupleId: CoupleId, dateId: string, userId: UserId): Promise<void> {
  await tx
    .deleteFrom('notes')
    .where('coupleId', '=', coupleId)
    .where('dateId', '=', dateId)
    .where('userId', '=', userId)
    .execute();
}

/**
 * Keeps the opened notes of a user who leaves for the partner, to whom they belong as well (decision 17). Locks every date
 * with a note, so that a second note, of either partner, is written before this or after it.
 */
export async function keepOpenedNotes(tx: Writer, coupleId: CoupleId, userId: UserId): Promise<void> {
  await tx
    .updateTable('dates')
    .set((row) => ({ version: row.ref('version') }))
    .where('coupleId', '=', coupleId)
    .where('id', 'in', (query) => query.selectFrom('notes').select('dateId').where('coupleId', '=', coupleId))
    .execute();
  await tx
    .insertInto('leftNotes')
    .columns(['coupleId', 'dateId', 'userId', 'text', 'hearts', 'writtenAt'])
    .expression((query) =>
      query
        .selectFrom('notes as left')
        .innerJoin('notes as kept', (join) =>
          join
            .onRef('kept.coupleId', '=', 'left.coupleId')
            .onRef('kept.dateId', '=', 'left.dateId')
            .onRef('kept.userId', '<>', 'left.userId'),
        )
        .select(['left.coupleId', 'left.dateId', 'kept.userId', 'left.text', 'left.hearts', 'left.writtenAt'])
        .where('left.coupleId', '=', coupleId)
        .where('left.userId', '=', userId),
    )
    // A node of an older version lets a later partner write a third note.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Counts the completed dates that started from `from` to before `until` and about which both partners have written. */
export async function countMutualNotes(
  reader: Reader,
  coupleId: CoupleId,
  { from, until }: { from: number; until: number },
): Promise<number> {
  const rows = await reader
    .selectFrom((from) =>
      from
        .selectFrom('notes')
        .select('dateId')
        .where('coupleId', '=', coupleId)
        .unionAll(from.selectFrom('leftNotes').select('dateId').where('coupleId', '=', coupleId))
        .as('written'),
    )
    .innerJoin('dates', (join) => join.on('dates.coupleId', '=', coupleId).onRef('dates.id', '=', 'written.dateId'))
    .select('written.dateId')
    .where('dates.status', '=', 'Completed')
    .where('dates.deletedAt', 'is', null)
    .where('dates.actualStartTime', '>=', from)
    .where('dates.actualStartTime', '<', until)
    .groupBy('written.dateId')
    .having((row) => row.fn.countAll<number>(), '>', 1)
    .execute();
  return rows.length;
}
