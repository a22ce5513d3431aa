import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import type { CallName } from '../../call.ts';
import { createStore } from '../state/store.ts';
import { deviceDatabase } from './device-database.ts';
import { OUTBOX } from './device-store.ts';

/**
 * A create or a correction that was made offline. It is stored on this device, a create with its Idempotency-Key, and sent
 * once, in order, when the connection is back. A rejected call stays, with everything that was typed.
 */
export interface KeptCall {
  /** Increases with time. Until it is sent, it is a placeholder for the id of the created entity. */
  readonly id: string;
  readonly owner: string;
  readonly name: CallName;
  readonly body: object;
  /** The Idempotency-Key of a create. */
  readonly key: string | null;
  /** The path's parameters and the version of the entity that is corrected. */
  readonly params?: Readonly<Record<string, string>>;
  readonly ifMatch?: string | null;
  /** Shown while it waits. */
  readonly title: string;
  readonly lines: readonly string[];
  /** The form's values and path, to reopen it if the server rejects the call. */
  readonly form: object;
  readonly path: string;
  readonly keptAt: number;
  /** The server's error message, if it rejected the call. */
  readonly refused: string | null;
}

/** What a user typed into a form and did not save. There is one for each user and form: the last one wins. */
export interface Words<Typed = unknown> {
  readonly owner: string;
  /** The path of a form, or `noteForm`. */
  readonly form: string;
  readonly typed: Typed;
}

/** The two kinds of notes of a date: the one that date mode saves as it is typed, and the one that is sealed. */
export type NoteKind = 'date-mode' | 'sealed';

/** The form of a note of a date. */
export function noteForm(kind: NoteKind, dateId: string): string {
  return `${kind} ${dateId}`;
}

interface Schema extends DBSchema {
  calls: { key: string; value: KeptCall };
  /**
   * The real ids of sent entities, by their placeholder ids. They stay until signing out, because an address or words may
   * have a placeholder at any time. There are as many as this device has made offline.
   */
  sent: { key: string; value: string };
  words: { key: [owner: string, form: string]; value: Words };
}

/** Opens the database of what was typed here and the server does not have: ideas and plans made offline, and words. */
export const openOutbox = deviceDatabase<Schema>(OUTBOX, 3, (db, from, transaction) => {
  if (from < 1) {
    db.createObjectStore('calls', { keyPath: 'id' });
    db.createObjectStore('sent');
  }
  db.createObjectStore('words', { keyPath: ['owner', 'form'] });
  if (from !== 2) return;
  // Version 1.0.0 of the app has the notes of date mode in a store of their own, and those to seal in another database.
  void moveDateNotes(transaction as never).then(() => db.deleteObjectStore('notes' as never));
  void moveSealedNotes().catch(() => undefined);
});

/** A note as version 1.0.0 of the app stored it. */
type OldNote = { readonly owner: string; readonly dateId: string } & Readonly<Record<string, unknown>>;

async function moveDateNotes(transaction: IDBPTransaction<unknown, string[], 'versionchange'>): Promise<void> {
  const notes = (await transaction.objectStore('notes').getAll()) as OldNote[];
  for (const { owner, ...note } of notes) {
    const typed = { ...note, sent: null, isRefused: false };
    await transaction.objectStore('words').put({ owner, form: noteForm('date-mode', note.dateId), typed });
  }
}

async function moveSealedNotes(): Promise<void> {
  const old: IDBPDatabase = await openDB('note-drafts');
  const drafts = old.objectStoreNames.contains('drafts') ? ((await old.getAll('drafts')) as OldNote[]) : [];
  old.close();
  const db = await openOutbox();
  for (const { owner, dateId, ...typed } of drafts) {
    await db.put('words', { owner, form: noteForm('sealed', dateId), typed });
  }
  await deleteDB('note-drafts');
}

/** How often what is stored has changed, in any tab. Those who show it read it again. */
export const outboxChanges = createStore(0);

const tabs = new BroadcastChannel(OUTBOX);
const countChange = () => outboxChanges.set(outboxChanges.get() + 1);
tabs.addEventListener('message', countChange);

/** Tells all tabs that what is stored has changed. */
export function announceOutboxChange(): void {
  countChange();
  tabs.postMessage('changed');
}
