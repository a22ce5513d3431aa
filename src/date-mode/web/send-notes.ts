import { holdLock, unlessLocked } from '../../base/web/device/locks.ts';
import { dropDateWords, findAllDateWords, findDateWords, keepDateWords, refuseDateWords } from './date-words.ts';
import { isNoteRefused, saveNote } from './save-note.ts';

const lockOf = (dateId: string) => `note ${dateId}`;
const openHere = new Set<string>();

/**
 * Marks the note of a date as open, in all tabs: its page saves it.
 * @returns a function that ends it
 */
export function openNote(dateId: string): () => void {
  const release = holdLock(lockOf(dateId));
  openHere.add(dateId);
  return () => {
    openHere.delete(dateId);
    release();
  };
}

async function unlessOpen(dateId: string, work: () => Promise<void>): Promise<void> {
  if (!openHere.has(dateId)) await unlessLocked(lockOf(dateId), work);
}

/**
 * Saves what this user typed in date mode without a network. What the server refuses stays on this device: every screen
 * says so, and date mode shows it.
 * @returns how many notes were saved
 */
export async function sendNotes(owner: string): Promise<number> {
  let saved = 0;
  for (const { dateId } of await findAllDateWords(owner)) {
    await unlessOpen(dateId, async () => {
      const words = await findDateWords(owner, dateId);
      if (words === null) return;
      try {
        await saveNote(words, (sent) => keepDateWords(owner, sent));
        await dropDateWords(owner, words);
        saved += 1;
      } catch (error) {
        if (!isNoteRefused(error)) throw error;
        await refuseDateWords(owner, words);
      }
    });
  }
  return saved;
}
