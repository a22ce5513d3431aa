import { noteForm } from '../../base/web/storage/outbox-database.ts';
import { changeWords, findNotes, findWords, keepWords } from '../../base/web/storage/words.ts';
import type { NoteChange } from '../note-merge.ts';

/** What a user typed in date mode and the server does not have. */
export interface DateWords extends NoteChange {
  readonly dateId: string;
  /** The title of the date, to name it. */
  readonly title: string;
  /** The server refused it, or it is too long. It is tried again, since a deleted date may come back. */
  readonly isRefused: boolean;
}

/** Stores what a user typed. Throws if the browser can't store it. */
export function keepDateWords(owner: string, words: DateWords): Promise<void> {
  return keepWords({ owner, form: noteForm('date-mode', words.dateId), typed: words });
}

/** Returns what a user typed during a date; null without any. */
export function findDateWords(owner: string, dateId: string): Promise<DateWords | null> {
  return findWords(owner, noteForm('date-mode', dateId));
}

/** Returns what a user typed during all dates. */
export async function findAllDateWords(owner: string): Promise<readonly DateWords[]> {
  const all = await findNotes<DateWords>('date-mode');
  return all.filter((words) => words.owner === owner).map(({ typed }) => typed);
}

/** Records that the server refuses the words, unless more was typed since: every screen says so until they are dropped. */
export function refuseDateWords(owner: string, words: DateWords): Promise<void> {
  return changeUnlessTyped(owner, words, { ...words, isRefused: true });
}

/** Deletes the words, unless more was typed since. */
export function dropDateWords(owner: string, words: DateWords): Promise<void> {
  return changeUnlessTyped(owner, words, null);
}

function changeUnlessTyped(owner: string, words: DateWords, next: DateWords | null): Promise<void> {
  return changeWords<DateWords>(owner, noteForm('date-mode', words.dateId), (now) =>
    now.text === words.text ? next : now,
  );
}
