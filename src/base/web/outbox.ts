import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { uuidv7 } from 'uuidv7';
import type { CallName } from '../call.ts';
import { type ApiError, client } from './api.ts';
import { asApiError } from './async.tsx';
import { createOnce, isStillRunning } from './create-once.ts';
import { OUTBOX } from './device-store.ts';
import { isServer } from './first.ts';

/**
 * What was added while the browser was offline (contract 5): calls that create, kept on this device with their
 * Idempotency-Key, to be sent in their order, once, when the connection is back. What the server refuses stays, with all
 * that was typed.
 */
export interface KeptCall {
  /** Increases with time. Until it is sent, it stands for the id of what it will create. */
  readonly id: string;
  readonly owner: string;
  readonly name: CallName;
  readonly body: object;
  /** Made once (contract 1, Retrying). */
  readonly key: string;
  /** How it is shown while it waits. */
  readonly title: string;
  readonly lines: readonly string[];
  /** The form it was written in, and where that form is, to be opened again after a refusal. */
  readonly form: object;
  readonly path: string;
  readonly keptAt: number;
  /** Why the server will not have it. */
  readonly refused: string | null;
}

/** What the form itself says of a call that is to be kept. */
export type KeptIn = Pick<KeptCall, 'owner' | 'form' | 'path'>;

interface Schema extends DBSchema {
  calls: { key: string; value: KeptCall };
  /** The real ids of what has been sent, by those it had here. */
  sent: { key: string; value: string };
}

let opening: Promise<IDBPDatabase<Schema>> | null = null;

function open(): Promise<IDBPDatabase<Schema>> {
  opening ??= openDB<Schema>(OUTBOX, 1, {
    upgrade: (db) => {
      db.createObjectStore('calls', { keyPath: 'id' });
      db.createObjectStore('sent');
    },
    // Whoever signs out, here or in another tab, deletes it, and must not be held up.
    blocking: (_, __, event) => {
      (event.target as IDBDatabase).close();
      opening = null;
    },
    terminated: () => {
      opening = null;
    },
  });
  return opening;
}

const tabs = !isServer && 'BroadcastChannel' in globalThis ? new BroadcastChannel(OUTBOX) : null;
const listeners = new Set<() => void>();
tabs?.addEventListener('message', () => tell(false));

function tell(others = true): void {
  for (const listener of listeners) listener();
  if (others) tabs?.postMessage('changed');
}

/** Hears when something more or less is kept, in whichever tab; answers how to stop. */
export function onOutbox(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps a call until it can be sent. Throws where the browser keeps nothing: then nothing may be called kept. */
export async function keepCall(call: Omit<KeptCall, 'id' | 'keptAt' | 'refused'>): Promise<void> {
  await (await open()).put('calls', { ...call, id: uuidv7(), keptAt: Date.now(), refused: null });
  tell();
}

/** What this user has kept, in its order. What another user of this device left is dropped. */
export async function keptCalls(owner: string): Promise<readonly KeptCall[]> {
  const db = await open();
  const all = await db.getAll('calls');
  for (const { id } of all.filter((call) => call.owner !== owner)) await db.delete('calls', id);
  return all.filter((call) => call.owner === owner);
}

export async function keptCall(id: string): Promise<KeptCall | undefined> {
  return (await open()).get('calls', id);
}

/** The id that the server has given to what was kept under this one; undefined while it has not. */
export async function sentAs(id: string): Promise<string | undefined> {
  return (await open()).get('sent', id);
}

export async function dropCall(id: string): Promise<void> {
  await (await open()).delete('calls', id);
  tell();
}

/** Lets a refused call be sent once more. */
export async function retryCall(call: KeptCall): Promise<void> {
  await (await open()).put('calls', { ...call, refused: null });
  tell();
}

/** Before this time, in milliseconds, the server does not want to be asked again (Retry-After). */
let notBefore = 0;
const LONGEST_WAIT_MS = 30 * 60_000;

/**
 * Sends what is kept, one after the other, while no other tab does. Answers how many were saved. It stops where the
 * server cannot be reached, is too busy, or knows us no more: the rest stays as it is.
 */
export async function sendKept(owner: string): Promise<number> {
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
        done.objectStore('sent').put(real, call.id),
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

/** One that was discarded while it was on its way does not come back. */
async function markRefused(db: IDBPDatabase<Schema>, call: KeptCall, refused: string): Promise<void> {
  const { store, done } = db.transaction('calls', 'readwrite');
  if (await store.get(call.id)) await store.put({ ...call, refused });
  await done;
}

const api = client<Record<CallName, { readonly summary: string; readonly reply: null }>>();

async function send({ name, body, key }: KeptCall): Promise<string> {
  const answer: unknown = await createOnce(() => api(name, { body } as never, { idempotencyKey: key }));
  return (answer as { id: string }).id;
}

/** A refusal that trying again would not change. */
function isFinal(error: ApiError): boolean {
  const { status } = error;
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status) && !isStillRunning(error);
}

/** A body as text, with the ids of what has been sent meanwhile in the place of those it had here. */
async function withRealIds(db: IDBPDatabase<Schema>, body: object): Promise<string> {
  let text = JSON.stringify(body);
  for (const local of await db.getAllKeys('sent')) {
    if (text.includes(local)) text = text.replaceAll(local, (await db.get('sent', local)) ?? local);
  }
  return text;
}
