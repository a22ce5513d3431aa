import { cleanText } from '../../base/clean-text.ts';
import { ApiError } from '../../base/web/net/api-error.ts';
import { versioned } from '../../base/web/net/check-saved-entity.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { dateBodyOf } from '../../dates/date-body.ts';
import { dateApi } from '../../dates/web/api.ts';
import type { Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import { mergeInto } from '../note-merge.ts';
import type { DateWords } from './date-words.ts';

/** How often a note is merged again before it waits: a partner who types saves about once a second. */
const TRIES = 5;

/**
 * Saves a note, merged with what the partner wrote in the meantime.
 * @param keep stores the words with what is about to be sent, since the answer may be lost
 * @returns the date with the saved note
 * @throws ApiError if the server can't be reached or refuses: 409 if the date has ended, 404 if it was deleted
 */
export async function saveNote(
  words: DateWords,
  keep: (words: DateWords) => Promise<unknown>,
): Promise<Versioned<PlannedDate>> {
  const params = { id: words.dateId };
  for (let tries = 1; ; tries += 1) {
    const { body: date, etag } = await dateApi.whole('GET /api/PlannedDates/{id}', { params });
    const notes = cleanText(mergeInto(date.notes ?? '', words));
    if (notes === (date.notes ?? '')) return { entity: date, etag };
    await keep({ ...words, sent: { text: words.text, note: notes } });
    const body = { ...dateBodyOf(date), notes };
    try {
      return versioned(await dateApi.whole('PUT /api/PlannedDates/{id}', { params, body }, { ifMatch: etag }));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412) || tries === TRIES) throw error;
    }
  }
}

/** Whether the server will never take the note: its date has ended or was deleted, or the note is too long. */
export function isNoteRefused(error: unknown): boolean {
  return error instanceof ApiError && [400, 404, 409].includes(error.status);
}
