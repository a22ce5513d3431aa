import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { NotesTable } from '../../base/server/db/tables.ts';

/** A note as stored. What of it a partner may know, `notesSeenBy` decides. */
export type NoteRow = Omit<NotesTable, 'coupleId'>;

/** Reads the notes of a date, also of one in the trash; of all dates if null. */
export function readNotes(reader: Reader, coupleId: CoupleId, dateId: string | null): Promise<NoteRow[]> {
  const all = reader
    .selectFrom('notes')
    .select(['dateId', 'userId', 'text', 'hearts', 'writtenAt'])
    .where('coupleId', '=', coupleId);
  return (dateId === null ? all : all.where('dateId', '=', dateId)).orderBy('dateId').orderBy('userId').execute();
}

/** Writes a user's note of a date, or replaces it. */
export async function saveNote(tx: Writer, coupleId: CoupleId, note: NoteRow): Promise<void> {
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

/** Counts the completed dates that started from `from` to before `until` and about which both partners have written. */
export async function countMutualNotes(
  reader: Reader,
  coupleId: CoupleId,
  { from, until }: { from: number; until: number },
): Promise<number> {
  const rows = await reader
    .selectFrom('notes')
    .innerJoin('dates', (join) =>
      join.onRef('dates.coupleId', '=', 'notes.coupleId').onRef('dates.id', '=', 'notes.dateId'),
    )
    .select('notes.dateId')
    .where('notes.coupleId', '=', coupleId)
    .where('dates.status', '=', 'Completed')
    .where('dates.deletedAt', 'is', null)
    .where('dates.actualStartTime', '>=', from)
    .where('dates.actualStartTime', '<', until)
    .groupBy('notes.dateId')
    .having((row) => row.fn.countAll<number>(), '>', 1)
    .execute();
  return rows.length;
}
