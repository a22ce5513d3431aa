import { cleanText, countText } from '../../base/clean-text.ts';
import { scheduleRetry } from '../../base/web/net/schedule-retry.ts';
import { createStore, type Store } from '../../base/web/state/store.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { OPTIONAL_TEXTS } from '../../dates/optional-texts.ts';
import type { Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import { mergeInto, mergeNotes, type NoteChange } from '../note-merge.ts';
import { type DateWords, dropDateWords, findDateWords, keepDateWords, refuseDateWords } from './date-words.ts';
import { isNoteRefused, saveNote } from './save-note.ts';
import { openNote } from './send-notes.ts';

/** A pause in typing after which the note is saved. */
const PAUSE_MS = 800;

/**
 * Whether the note is saved: `waiting` for the network, `tooLong` to be saved, or `refused` for good, because the date
 * has ended or was deleted.
 */
export type NoteState = 'saved' | 'typing' | 'waiting' | 'tooLong' | 'refused';

export interface DateModeNote {
  readonly text: string;
  readonly state: NoteState;
}

function afterPause(save: () => void): () => void {
  const timer = setTimeout(save, PAUSE_MS);
  return () => clearTimeout(timer);
}

export interface NoteSaverOptions {
  readonly owner: string;
  readonly date: PlannedDate;
  readonly onSaved: (date: Versioned<PlannedDate>) => void;
}

/**
 * The note of date mode. It is stored on this device with each key, and saved on the server after a pause in typing,
 * merged with what the partner writes.
 */
export class NoteSaver {
  readonly #owner: string;
  readonly #dateId: string;
  readonly #title: string;
  readonly #onSaved: NoteSaverOptions['onSaved'];
  /** The note that the server has, as far as this page knows. */
  #base: string;
  /** The last attempt to save the note, if its answer is not known. */
  #sent: NoteChange['sent'] = null;
  /** When that note was saved, in milliseconds: a response that was on its way for longer is ignored. */
  #savedAt: number;
  readonly note: Store<DateModeNote>;
  #cancelSave = (): void => undefined;
  #saving: Promise<void> | null = null;
  /** Ends that no one else saves its note. */
  #close = (): void => undefined;
  /** What this page has stored on the device. */
  #stored: DateWords | null = null;
  /** The last write to the device, so that they happen in order. */
  #storing: Promise<unknown> = Promise.resolve();

  constructor({ owner, date, onSaved }: NoteSaverOptions) {
    this.#owner = owner;
    this.#dateId = date.id;
    this.#title = date.dateIdea.title;
    this.#onSaved = onSaved;
    this.#base = date.notes ?? '';
    this.#savedAt = Date.parse(date.updatedAt);
    this.note = createStore<DateModeNote>({ text: this.#base, state: 'saved' });
  }

  #set(note: Partial<DateModeNote>): void {
    this.note.set({ ...this.note.get(), ...note });
  }

  #isDirty(): boolean {
    return cleanText(this.note.get().text) !== this.#base;
  }

  /** Continues with what was typed here and never saved. */
  async restore(): Promise<void> {
    this.#close = openNote(this.#dateId);
    const words = await findDateWords(this.#owner, this.#dateId);
    if (words !== null) {
      this.#stored = words;
      this.#set({ text: mergeInto(this.note.get().text, words) });
      this.#store();
    }
    await this.flush();
  }

  type(text: string): void {
    this.#set({ text, state: 'typing' });
    this.#store();
    this.#saveLater(afterPause);
  }

  /** Takes the server's note, which the partner may have changed. What is typed here stays. */
  update({ notes: saved, updatedAt }: Pick<PlannedDate, 'notes' | 'updatedAt'>): void {
    const notes = saved ?? '';
    const at = Date.parse(updatedAt);
    if (notes === this.#base || at <= this.#savedAt || this.#saving !== null) return;
    const typed = { base: this.#base, text: this.note.get().text, sent: this.#sent };
    const text = this.#isDirty() ? mergeInto(notes, typed) : notes;
    this.#base = notes;
    this.#sent = null;
    this.#savedAt = at;
    this.#set({ text });
    this.#store();
  }

  /** Saves now. @returns whether the server has everything that was typed */
  async flush(): Promise<boolean> {
    this.#cancelSave();
    while (this.#isDirty()) {
      if (countText(this.note.get().text) > OPTIONAL_TEXTS.notes.max) {
        this.#set({ state: 'tooLong' });
        this.#refuse();
        return false;
      }
      this.#saving ??= this.#save().finally(() => {
        this.#saving = null;
      });
      await this.#saving;
      if (this.note.get().state !== 'typing') return !this.#isDirty();
    }
    this.#set({ state: 'saved' });
    return true;
  }

  /** Drops what the server does not have. */
  discard(): void {
    this.#cancelSave();
    this.#set({ text: this.#base, state: 'saved' });
    this.#store();
  }

  /** Saves what is typed, and stops. */
  leave(): void {
    this.#close();
    if (this.#isDirty()) void this.flush();
    else this.#cancelSave();
  }

  async #save(): Promise<void> {
    const { text } = this.note.get();
    try {
      const saved = await saveNote(this.#words(), ({ sent }) => {
        this.#sent = sent;
        this.#store();
        return this.#storing;
      });
      const notes = saved.entity.notes ?? '';
      // More may have been typed in the meantime. A final space that the server trims is part of the typing.
      const now = this.note.get().text;
      this.#base = notes;
      this.#sent = null;
      this.#savedAt = Date.parse(saved.entity.updatedAt);
      const isDone = now === text;
      if (cleanText(text) !== notes) this.#set({ text: mergeNotes(cleanText(text), now, notes) });
      this.#set({ state: isDone ? 'saved' : 'typing' });
      this.#store();
      this.#onSaved(saved);
    } catch (error) {
      const isFinal = isNoteRefused(error);
      this.#set({ state: isFinal ? 'refused' : 'waiting' });
      if (isFinal) this.#refuse();
      else this.#saveLater(scheduleRetry);
    }
  }

  #saveLater(schedule: (save: () => void) => () => void): void {
    this.#cancelSave();
    this.#cancelSave = schedule(() => void this.flush());
  }

  #words(): DateWords {
    const text = cleanText(this.note.get().text);
    return { dateId: this.#dateId, title: this.#title, base: this.#base, text, sent: this.#sent, isRefused: false };
  }

  /** Stores what is typed on this device, or deletes it there once the server has it. */
  #store(): void {
    const before = this.#stored;
    this.#stored = this.#isDirty() ? this.#words() : null;
    if (this.#stored !== null) this.#write(keepDateWords, this.#stored);
    else if (before !== null) this.#write(dropDateWords, before);
  }

  #refuse(): void {
    if (this.#stored !== null) this.#write(refuseDateWords, this.#stored);
  }

  #write(write: (owner: string, words: DateWords) => Promise<void>, words: DateWords): void {
    this.#storing = this.#storing.then(() => write(this.#owner, words)).catch(() => undefined);
  }
}
