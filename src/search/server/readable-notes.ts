import { authLimits } from '../../auth/rules.ts';
import { partnersOf } from '../../auth/server/user-store.ts';
import type { Reader } from '../../base/server/db/db.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import { notesVisibleTo } from '../../notes/notes-visible-to.ts';
import { type NoteRow, readLeftNotes, readNotes } from '../../notes/server/store.ts';

/** The texts of the two notes of each date, as far as a partner may read them. */
export async function readableNotes(
  reader: Reader,
  { coupleId, userId }: Viewer,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [partners, notes, leftNotes] = await Promise.all([
    partnersOf(reader, coupleId),
    readNotes(reader, coupleId, null),
    readLeftNotes(reader, coupleId, null),
  ]);
  const hasPartner = partners.length === authLimits.partners;
  const [byDate, leftByDate] = [Map.groupBy(notes, dateOf), Map.groupBy(leftNotes, dateOf)];
  const texts = new Map<string, string[]>();
  for (const dateId of new Set([...byDate.keys(), ...leftByDate.keys()])) {
    const { mine, theirs } = notesVisibleTo(userId, {
      notes: byDate.get(dateId) ?? [],
      leftNotes: leftByDate.get(dateId) ?? [],
      hasPartner,
    });
    texts.set(
      dateId,
      [mine, theirs].flatMap((note) => note?.text ?? []),
    );
  }
  return texts;
}

const dateOf = ({ dateId }: NoteRow) => dateId;
