import { sendNotes } from '../../../date-mode/web/save-note.ts';
import { resumeShots } from '../../../date-mode/web/shots.ts';

/**
 * Continues to send the photographs of date mode, and saves its notes.
 * @returns how many notes were saved
 */
export async function sendFromDateMode(owner: string): Promise<number> {
  // The notes do not wait for a database of photographs that does not open.
  await resumeShots(owner).catch(() => undefined);
  return sendNotes(owner);
}
