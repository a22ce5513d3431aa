import type { DBSchema, IDBPDatabase } from 'idb';
import { uuidv7 } from 'uuidv7';
import type { CallName } from '../call.ts';
import { type ApiError, client } from './api.ts';
import { asApiError } from './async.tsx';
import { createOnce, isStillRunning } from './create-once.ts';
import { deviceDatabase, requestPersistentStorage } from './device-database.ts';
import { OUTBOX } from './device-store.ts';
import { isServer } from './ssr.ts';

/**
 * A create that was made offline (contract 5). It is stored on this device with its Idempotency-Key and sent once, in
 * order, when the connection is back. A rejected call stays, with everything that was typed.
 */
export interface KeptCall {
  /** Increases with time. Until it is sent, it is a placeholder for the id of the created entity. */
  readonly id: string;
  readonly owner: string;
  readonly name: CallName;
  readonly body: object;
  /** The Idempotency-Key (contract 1, Retrying). */
  readonly key: string;
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

/** The part of a stored call that its form provides. */
export type KeptIn = Pick<KeptCall, 'owner' | 'form' | 'path'>;

interface Schema extends DBSchema {
  calls: { key: string; value: KeptCall };
  /** The real ids of sent entities, by their placeholder ids. */
  sent: { key: string; value: string };
  /** Notes of dates that are not saved yet. The field of the date's id holds the key (see `noteKeys`). */
  notes: { key: string; value: UnsavedNote };
}

/** A note typed in date mode that the server does not have yet (contract 6). */
export interface UnsavedNote {
  readonly owner: string;
  readonly dateId: string;
  /** The form in which it was typed: no window replaces another one's words. Older versions of the page have none. */
  readonly id?: string;
  /** The title of the date, to name it. */
  readonly title: string;
  /** The note on which the typing began, for merging it with the partner's. */
  readonly base: string;
  readonly text: string;
  /** The last attempt to save it, if its answer is not known: what was typed then, and the whole note that was sent. */
  readonly sent?: { readonly text: string; readonly note: string } | null;
  /** The server refused it (see `refuseNote`). It is tried again, since a deleted date may come back. */
  readonly refused?: true;
}

const open = deviceDatabase<Schema>(OUTBOX, 2, (db, from) => {
  if (from < 1) {
    db.createObjectStore('calls', { keyPath: 'id' });
    db.createObjectStore('sent');
  }
  db.createObjectStore('notes', { keyPath: 'dateId' });
});

const tabs = isServer ? null : new BroadcastChannel(OUTBOX);
const listeners = new Set<() => void>();
tabs?.addEventListener('message', () => tell(false));

function tell(others = true): void {
  for (const listener of listeners) listener();
  if (others) tabs?.postMessage('changed');
}

/** Subscribes to changes in any tab. Returns a function that unsubscribes. */
export function onOutbox(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stores a call until it can be sent. Throws if the browser can't store it. */
export async function keepCall(call: Omit<KeptCall, 'id' | 'keptAt' | 'refused'>): Promise<void> {
  await (await open()).put('calls', { ...call, id: uuidv7(), keptAt: Date.now(), refused: null });
  requestPersistentStorage();
  tell();
}

/** Returns this user's stored calls in order. Those of other users of this device stay for them. */
export async function keptCalls(owner: string): Promise<readonly KeptCall[]> {
  const all = await (await open()).getAll('calls');
  return all.filter((call) => call.owner === owner);
}

/** How many of something on this device are of a user, and of others. */
export interface OwnAndOthers {
  readonly own: number;
  readonly others: number;
}

/** How many calls and notes of users of this device are not sent yet. */
export async function countKept(owner: string): Promise<Readonly<Record<'calls' | 'notes', OwnAndOthers>>> {
  const db = await open();
  const count = (rows: readonly { readonly owner: string }[]) => {
    const own = rows.filter((row) => row.owner === owner).length;
    return { own, others: rows.length - own };
  };
  return { calls: count(await db.getAll('calls')), notes: count(await db.getAll('notes')) };
}

export async function keptCall(owner: string, id: string): Promise<KeptCall | undefined> {
  const call = await (await open()).get('calls', id);
  return call?.owner === owner ? call : undefined;
}

/** Returns the real id for a placeholder id; undefined if it isn't sent yet. */
export async function sentAs(id: string): Promise<string | undefined> {
  return (await open()).get('sent', id);
}

export async function dropCall(id: string): Promise<void> {
  await (await open()).delete('calls', id);
  tell();
}

/** Returns the calls that need what another stored call creates: the dates planned from an idea that waits itself. */
export async function callsNeeding({ owner, id }: KeptCall): Promise<readonly KeptCall[]> {
  return (await keptCalls(owner)).filter(({ body }) => Object.values(body).includes(id));
}

/** Lets a rejected call be sent again. */
export async function retryCall(call: KeptCall): Promise<void> {
  await (await open()).put('calls', { ...call, refused: null });
  tell();
}

type NoteKey = Pick<UnsavedNote, 'owner' | 'dateId' | 'id'>;

/** The keys of a form's note of a date; without a form, those under which older versions of the page stored it. */
const noteKeys = ({ owner, dateId, id }: NoteKey): [string, ...string[]] =>
  id ? [`${dateId} ${owner} ${id}`] : [`${dateId} ${owner}`, dateId];

/** Stores a note until it is saved. Throws if the browser can't store it. */
export async function keepNote(note: UnsavedNote): Promise<void> {
  const { store, done } = (await open()).transaction('notes', 'readwrite');
  const [dateId] = noteKeys(note);
  const wasRefused = (await store.get(dateId))?.refused;
  await store.put({ ...note, dateId });
  await done;
  if (wasRefused) tell();
}

/** Records that the server refused a note, unless more was typed since: every screen says so until it is dropped. */
export function refuseNote(note: UnsavedNote): Promise<void> {
  return changeNote(note, note.text, (stored) => ({ ...stored, refused: true }));
}

/** Returns this user's unsaved notes. Those of other users of this device stay for them. */
export async function keptNotes(owner: string): Promise<readonly UnsavedNote[]> {
  const all = await (await open()).getAll('notes');
  return all
    .filter((note) => note.owner === owner)
    .map((note) => ({ ...note, dateId: note.dateId.replace(/ .*/, '') }));
}

/** Deletes a note. With `text` only if no more was typed since. */
export function dropNote(note: NoteKey, text?: string): Promise<void> {
  return changeNote(note, text, () => null);
}

/** Changes a stored note, or deletes it for null. With `text` only if no more was typed since. */
async function changeNote(
  note: NoteKey,
  text: string | undefined,
  change: (stored: UnsavedNote) => UnsavedNote | null,
): Promise<void> {
  const { store, done } = (await open()).transaction('notes', 'readwrite');
  for (const key of noteKeys(note)) {
    const stored = await store.get(key);
    if (stored?.owner !== note.owner || (text !== undefined && stored.text !== text)) continue;
    const changed = change(stored);
    if (changed === null) await store.delete(key);
    else await store.put(changed);
  }
  await done;
  tell();
}

/** No call is sent before this time in milliseconds (Retry-After). */
let notBefore = 0;
const LONGEST_WAIT_MS = 30 * 60_000;

/**
 * Sends the stored calls in order, in only one tab at a time. It stops if the server can't be reached or is busy, or if
 * the session ended. Returns the number of saved calls.
 */
export async function sendOutbox(owner: string): Promise<number> {
  if (Date.now() < notBefore) return 0;
  const locks = navigator.locks as LockManager | undefined;
  return locks ? locks.request(OUTBOX, () => sendAll(owner)) : sendAll(owner);
}

async function sendAll(owner: string): Promise<number> {
  const db = await open();
  let saved = 0;
  const unsent = new Set<string>();
  for (const call of await keptCalls(owner)) {
    const body = await withRealIds(db, call.body);
    const waitsFor = [...unsent].some((id) => body.includes(id));
    unsent.add(call.id);
    if (call.refused !== null || waitsFor) continue;
    try {
      const real = await send({ ...call, body: JSON.parse(body) as object });
      const done = db.transaction(['calls', 'sent'], 'readwrite');
      await Promise.all([
        done.objectStore('calls').delete(call.id),
        real !== null && done.objectStore('sent').put(real, call.id),
        done.done,
      ]);
      unsent.delete(call.id);
      saved += 1;
    } catch (error) {
      const refused = asApiError(error);
      if (!isFinal(refused)) {
        notBefore = Date.now() + Math.min((refused.retryAfter ?? 0) * 1000, LONGEST_WAIT_MS);
        break;
      }
      await markRefused(db, call, refused.message);
    }
    tell();
  }
  return saved;
}

/** Stores the error of a rejected call, unless the call was discarded while it was sent. */
async function markRefused(db: IDBPDatabase<Schema>, call: KeptCall, refused: string): Promise<void> {
  const { store, done } = db.transaction('calls', 'readwrite');
  if (await store.get(call.id)) await store.put({ ...call, refused });
  await done;
}

const api = client<Record<CallName, { readonly summary: string; readonly reply: null }>>();

/** Sends a call. @returns the id of what it created, now or earlier; null if that was created earlier and deleted since */
async function send({ name, body, key }: KeptCall): Promise<string | null> {
  try {
    const answer: unknown = await createOnce(() => api(name, { body } as never, { idempotencyKey: key }));
    return (answer as { id: string }).id;
  } catch (error) {
    if (asApiError(error).status === 410) return null;
    throw error;
  }
}

/** Returns whether a retry can't change the error. */
function isFinal(error: ApiError): boolean {
  const { status } = error;
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status) && !isStillRunning(error);
}

/** Serializes a body and replaces placeholder ids with the real ids of sent entities. */
async function withRealIds(db: IDBPDatabase<Schema>, body: object): Promise<string> {
  let text = JSON.stringify(body);
  for (const local of await db.getAllKeys('sent')) {
    if (text.includes(local)) text = text.replaceAll(local, (await db.get('sent', local)) ?? local);
  }
  return text;
}
