import { cleanText } from '../../../base/text.ts';
import { ApiError, asSaved, client } from '../../../base/web/api.ts';
import { openForm, withClosedForm } from '../../../base/web/open-forms.ts';
import { dropNote, keepNote, keptNotes, refuseNote, type UnsavedNote } from '../../../base/web/outbox.ts';
import type { Versioned } from '../../../kit/web/forms/versioned-edit.ts';
import type { dateCalls, PlannedDate } from '../../contract.ts';
import { dateBodyOf } from '../../form-rules.ts';
import { mergeInto } from '../../note-merge.ts';

const api = client<typeof dateCalls>();

/** How often a note is merged again before it waits: a partner who types saves about once a second. */
const TRIES = 5;

/**
 * Saves a note, merged with what the partner wrote in the meantime.
 * @param keep stores the note with what is about to be sent, since the answer may be lost
 * @returns the date with the saved note
 * @throws ApiError if the server can't be reached or refuses: 409 if the date has ended, 404 if it was deleted
 */
export async function saveNote(
  note: UnsavedNote,
  keep: (note: UnsavedNote) => Promise<unknown>,
): Promise<Versioned<PlannedDate>> {
  const params = { id: note.dateId };
  for (let tries = 1; ; tries += 1) {
    const { body: date, etag } = await api.whole('GET /api/PlannedDates/{id}', { params });
    const notes = cleanText(mergeInto(date.notes ?? '', { ...note, sent: note.sent ?? null }));
    if (notes === (date.notes ?? '')) return { thing: date, etag };
    await keep({ ...note, sent: { text: note.text, note: notes } });
    const body = { ...dateBodyOf(date), notes };
    try {
      const saved = await api.whole('PUT /api/PlannedDates/{id}', { params, body }, { ifMatch: etag });
      return { thing: asSaved(saved.body), etag: saved.etag };
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412) || tries === TRIES) throw error;
    }
  }
}

const formOf = ({ id, dateId }: Pick<UnsavedNote, 'id' | 'dateId'>) => `note ${id ?? dateId}`;

/**
 * Marks the note of a form as open, in all tabs: date mode saves it itself.
 * @returns a function that ends it
 */
export function openNote(note: Pick<UnsavedNote, 'id' | 'dateId'>): () => void {
  return openForm(formOf(note));
}

/** Works on a note as it is stored now, unless its form is open or it is gone. */
export async function withClosedNote(note: UnsavedNote, work: (note: UnsavedNote) => Promise<void>): Promise<void> {
  const { owner, dateId, id } = note;
  await withClosedForm(formOf(note), 'closed', async () => {
    const now = (await keptNotes(owner)).find((one) => one.dateId === dateId && one.id === id);
    if (now) await work(now);
  });
}

/** Whether the server will never take the note: its date has ended or was deleted, or the note is too long. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 409].includes(error.status);
}

/**
 * Saves the notes of this user that were typed without a network. Those that the server refuses stay on this device:
 * every screen says so, and date mode shows them.
 * @returns how many were saved
 */
export async function sendNotes(owner: string): Promise<number> {
  let saved = 0;
  for (const note of await keptNotes(owner)) {
    await withClosedNote(note, async (now) => {
      try {
        await saveNote(now, keepNote);
        await dropNote(now, now.text);
        saved += 1;
      } catch (error) {
        if (!isRefused(error)) throw error;
        await refuseNote(now);
      }
    });
  }
  return saved;
}
