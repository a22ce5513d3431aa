import { uuidv7 } from 'uuidv7';
import type { CallName } from '../../call.ts';
import { withLock } from '../device/locks.ts';
import { createClient } from '../net/api-client.ts';
import { type ApiError, asApiError } from '../net/api-error.ts';
import { createOnce, isStillRunning } from '../net/create-once.ts';
import { requestPersistentStorage } from './device-database.ts';
import { OUTBOX } from './device-store.ts';
import { announceOutboxChange, type KeptCall, openOutbox } from './outbox-database.ts';

type Outbox = Awaited<ReturnType<typeof openOutbox>>;

/** The part of a stored call that its form provides. */
export type KeptIn = Pick<KeptCall, 'owner' | 'form' | 'path'>;

/** Stores a call until it can be sent. Throws if the browser can't store it. */
export async function keepCall(call: Omit<KeptCall, 'id' | 'keptAt' | 'refused'>): Promise<void> {
  await (await openOutbox()).put('calls', { ...call, id: uuidv7(), keptAt: Date.now(), refused: null });
  requestPersistentStorage();
  announceOutboxChange();
}

/** Returns this user's stored calls in order. Those of other users of this device stay for them. */
export async function keptCalls(owner: string): Promise<readonly KeptCall[]> {
  const all = await (await openOutbox()).getAll('calls');
  return all.filter((call) => call.owner === owner);
}

export async function keptCall(owner: string, id: string): Promise<KeptCall | undefined> {
  const call = await (await openOutbox()).get('calls', id);
  return call?.owner === owner ? call : undefined;
}

/** Returns the real id for a placeholder id; undefined if it isn't sent yet. */
export async function sentAs(id: string): Promise<string | undefined> {
  return (await openOutbox()).get('sent', id);
}

export async function dropCall(id: string): Promise<void> {
  await (await openOutbox()).delete('calls', id);
  announceOutboxChange();
}

/** Returns the calls that need what another stored call creates: the dates planned from an idea that waits itself. */
export async function callsNeeding({ owner, id }: KeptCall): Promise<readonly KeptCall[]> {
  return (await keptCalls(owner)).filter(({ body }) => Object.values(body).includes(id));
}

/** Lets a rejected call be sent again. */
export async function retryCall(call: KeptCall): Promise<void> {
  await (await openOutbox()).put('calls', { ...call, refused: null });
  announceOutboxChange();
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
  return withLock(OUTBOX, () => sendAll(owner));
}

async function sendAll(owner: string): Promise<number> {
  const db = await openOutbox();
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
    announceOutboxChange();
  }
  return saved;
}

/** Stores the error of a rejected call, unless the call was discarded while it was sent. */
async function markRefused(db: Outbox, call: KeptCall, refused: string): Promise<void> {
  const { store, done } = db.transaction('calls', 'readwrite');
  if (await store.get(call.id)) await store.put({ ...call, refused });
  await done;
}

const api = createClient<Record<CallName, { readonly summary: string; readonly reply: null }>>();

/** Sends a call. @returns the id of what it created, now or earlier; null if that was created earlier and deleted since */
async function send({ name, params, body, key, ifMatch = null }: KeptCall): Promise<string | null> {
  const options = { ifMatch, ...(key === null ? {} : { idempotencyKey: key }) };
  try {
    const answer: unknown = await createOnce(() => api(name, { params, body } as never, options));
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
async function withRealIds(db: Outbox, body: object): Promise<string> {
  let text = JSON.stringify(body);
  for (const local of await db.getAllKeys('sent')) {
    if (text.includes(local)) text = text.replaceAll(local, (await db.get('sent', local)) ?? local);
  }
  return text;
}
