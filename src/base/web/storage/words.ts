import { announceOutboxChange, type NoteKind, noteForm, openOutbox, type Words } from './outbox-database.ts';

/**
 * Stores what was typed, instead of what was before. Throws if the browser can't store it. It does not announce the change:
 * what shows words elsewhere shows only what the server refused or does not have yet, and typing goes on.
 */
export async function keepWords(words: Words): Promise<void> {
  await (await openOutbox()).put('words', words);
}

/** Returns what a user typed into a form; null if nothing was, or if this browser can't store anything. */
export async function findWords<Typed>(owner: string, form: string): Promise<Typed | null> {
  const reading = openOutbox().then((db) => db.get('words', [owner, form]));
  return ((await reading.catch(() => undefined))?.typed as Typed | undefined) ?? null;
}

/**
 * Returns the notes of one kind that all users of this device typed. Throws if the browser can't store anything.
 */
export async function findNotes<Typed>(kind: NoteKind): Promise<readonly Words<Typed>[]> {
  const all = await (await openOutbox()).getAll('words');
  return all.filter(({ form }) => form.startsWith(noteForm(kind, ''))) as unknown as Words<Typed>[];
}

/** Changes what was typed into a form, if anything was. If `change` returns null, it is deleted. */
export async function changeWords<Typed>(
  owner: string,
  form: string,
  change: (typed: Typed) => Typed | null,
): Promise<void> {
  const { store, done } = (await openOutbox()).transaction('words', 'readwrite');
  const now = await store.get([owner, form]);
  const typed = now && change(now.typed as Typed);
  if (typed) await store.put({ owner, form, typed });
  else if (now) await store.delete([owner, form]);
  await done;
  if (now) announceOutboxChange();
}

/** Deletes what was typed into a form. */
export function dropWords(owner: string, form: string): Promise<void> {
  return changeWords(owner, form, () => null);
}
