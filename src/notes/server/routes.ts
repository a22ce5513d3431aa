import { authLimits } from '../../auth/rules.ts';
import { partnersOf } from '../../auth/server/user-store.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import { formatInstant } from '../../base/instants.ts';
import { notFound, Refusal } from '../../base/refusal.ts';
import type { Routes } from '../../base/server/calls/route-types.ts';
import type { Session } from '../../base/server/calls/session.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { lockDate } from '../../dates/server/date-store.ts';
import { hasDate } from '../../dates/server/visible-dates.ts';
import type { Note, NotesOfDate, noteCalls } from '../contract.ts';
import { notesVisibleTo, type VisibleNotes } from '../notes-visible-to.ts';
import { NOTE_REFUSED } from '../rules.ts';
import { deleteNote, type NoteRow, readLeftNotes, readNotes, writeNote } from './store.ts';

/** The port through which the reminders slice learns that the notes of a date were revealed, in the same transaction. */
export type NotesRevealed = (tx: Writer, coupleId: CoupleId, dateId: string, now: number) => Promise<void>;

/** The routes for the two notes of a date. */
export function noteRoutes({ db, announce }: Deps, onRevealed: NotesRevealed): Routes<typeof noteCalls> {
  const assertExists = async ({ params, session }: { params: { id: string }; session: Session }) => {
    if (!(await hasDate(db.read, session.coupleId, params.id))) throw notFound('Planned date');
  };

  /**
   * Locks the date, so that the notes of two partners are written one after the other: exactly one of them reveals both.
   * @throws Refusal 404 without the date; 409 once the notes are revealed
   */
  const lock = async (tx: Writer, id: string, session: Session) => {
    const date = await lockDate(tx, session.coupleId, id);
    if (!date) throw notFound('Planned date');
    const seen = await readSeen(tx, session, id);
    if (seen.revealed) throw new Refusal(409, NOTE_REFUSED[seen.mine === null ? 'beforeJoining' : 'revealed']);
    return { status: date.status, seen };
  };

  const announceNotes = (tx: Writer, id: string, { coupleId, userId }: Session, only?: UserId) =>
    announce(tx, coupleId, { entity: 'plannedDate', id, action: 'updated', by: userId }, only);

  return {
    'GET /api/PlannedDates/{id}/notes': async ({ params, session }) => {
      await assertExists({ params, session });
      return toReply(await readSeen(db.read, session, params.id));
    },

    'PUT /api/PlannedDates/{id}/notes/mine': {
      checkEarly: assertExists,
      handle: ({ params: { id }, body, session, now }) =>
        db.write(async (tx) => {
          const { coupleId, userId } = session;
          const { status, seen: before } = await lock(tx, id, session);
          if (status !== 'Completed') throw new Refusal(409, NOTE_REFUSED.notCompleted);
          const { text, hearts } = body;
          if (before.mine?.text === text && before.mine.hearts === hearts) return toReply(before);
          await writeNote(tx, coupleId, { dateId: id, userId, text, hearts, writtenAt: now });
          const seen = await readSeen(tx, session, id);
          if (seen.theirs !== null) await onRevealed(tx, coupleId, id, now);
          // The partner learns that a note waits, and that both are open, but not that a sealed note was changed.
          await announceNotes(tx, id, session, before.mine === null ? undefined : userId);
          return toReply(seen);
        }),
    },

    'DELETE /api/PlannedDates/{id}/notes/mine': {
      checkEarly: assertExists,
      handle: async ({ params: { id }, session }) => {
        await db.write(async (tx) => {
          const { seen } = await lock(tx, id, session);
          if (seen.mine === null) throw notFound('Note');
          await deleteNote(tx, session.coupleId, id, session.userId);
          await announceNotes(tx, id, session);
        });
        return null;
      },
    },
  };
}

/** Reads what a partner may know of the notes of a date. */
async function readSeen(reader: Reader, { coupleId, userId }: Session, dateId: string): Promise<VisibleNotes<NoteRow>> {
  // Sequential, because `reader` may be a transaction, which has one connection.
  const partners = await partnersOf(reader, coupleId);
  return notesVisibleTo(userId, {
    notes: await readNotes(reader, coupleId, dateId),
    leftNotes: await readLeftNotes(reader, coupleId, dateId),
    hasPartner: partners.length === authLimits.partners,
  });
}

function toReply({ mine, theirs, theirsWritten, revealed, authorLeft }: VisibleNotes<NoteRow>): NotesOfDate {
  return {
    mine: mine && toNote(mine),
    theirs: theirs && { ...toNote(theirs), ...(authorLeft && { authorLeft }) },
    theirsWritten,
    revealed,
  };
}

function toNote({ text, hearts, writtenAt }: NoteRow): Note {
  return { text, hearts, writtenAt: formatInstant(writtenAt) };
}
