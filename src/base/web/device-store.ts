import { CACHES } from '../kept-here.ts';
import { isServer } from './first.ts';

/**
 * What this device remembers between visits. All of it goes when somebody signs out, save what says nothing of the
 * couple: how the app looks here, whether its hearts float, whether the gallery is a grid or a list, and that a signing out is still to be told to the server.
 */
const KEPT = ['appearance', 'hearts', 'gallery', 'leaving'] as const;
/** That somebody was signed in at the last visit: a guess, by which the screen asked for is fetched ahead. */
const GUESSES = ['known'] as const;
type Key = (typeof KEPT)[number] | (typeof GUESSES)[number];

/** The remembered text, or null; null too where the browser keeps nothing (private windows, blocked storage). */
export function recall(key: Key): string | null {
  try {
    return isServer ? null : localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remembers a text on this device; null forgets it. */
export function remember(key: Key, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A device that keeps nothing looks, next time, as if it were new: nothing worse.
  }
}

/**
 * The database of the photographs chosen for upload and not yet sent. It outlives a session that ended under our hands,
 * so that signing in again continues the upload (issue 4); a signing out takes it too.
 */
export const UNSENT = 'unsent-photographs';

/** The database of what was added while offline and not yet sent; it outlives the same, and goes with the same. */
export const OUTBOX = 'outbox';
/** The database of what the screens showed last, for when the server cannot be reached. */
export const LAST_SEEN = 'last-seen';

/** Whether this page's session is over: what still arrives for it is not kept any more. */
let over = false;

export function isOver(): boolean {
  return over;
}

/**
 * Leaves no answer, text or address of the couple on this device (contract 2, logout; contract 5): storages, caches,
 * databases, reminders that were shown, and the addresses in this tab's history. Where the session ended by itself, what its user has not sent yet
 * is spared, for when the same user comes back. It never throws: what cannot be cleared holds up nobody.
 */
export async function forgetDevice({ sparing = false } = {}): Promise<void> {
  over = true;
  await Promise.allSettled([
    clearStorages(),
    clearCaches(sparing),
    clearDatabases(sparing),
    clearReminders(sparing),
    clearHistory(),
  ]);
}

/** The session is over already when the page begins: what the screens showed last goes, and no more. */
export async function forgetSeen(): Promise<void> {
  await Promise.allSettled([deleteDatabase(LAST_SEEN), clearCaches(true)]);
}

async function clearStorages(): Promise<void> {
  const kept = KEPT.map((key) => [key, recall(key)] as const);
  sessionStorage.clear();
  localStorage.clear();
  for (const [key, value] of kept) remember(key, value);
}

/** The app's own files, kept by its service worker, are the same for everybody: without them nothing opens offline. */
const SHELL = /^workbox-precache/;

async function clearCaches(sparing: boolean): Promise<void> {
  if (!('caches' in globalThis)) return;
  const found = (await caches.keys()).filter((name) => !SHELL.test(name) && !(sparing && name === CACHES.shared));
  await Promise.all(found.map((name) => caches.delete(name)));
}

async function clearDatabases(sparing: boolean): Promise<void> {
  const spared: (string | undefined)[] = sparing ? [UNSENT, OUTBOX] : [];
  const found = (await indexedDB.databases()).filter(({ name }) => !spared.includes(name));
  await Promise.all(found.map(({ name = '' }) => deleteDatabase(name)));
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = request.onerror = () => resolve();
    // Another tab holds it open: it goes as soon as that tab, told the same, lets it go.
    request.onblocked = () => resolve();
  });
}

/** What was shown of us beside the app goes; a signing out ends the subscription too, without being waited for. */
async function clearReminders(sparing: boolean): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const shown of (await registration?.getNotifications?.()) ?? []) shown.close();
  if (!sparing) void registration?.pushManager?.getSubscription().then((told) => told?.unsubscribe());
}

/**
 * Goes back to the first of this tab's entries that are ours and begins anew there: what lay after it falls away,
 * and with it every address with an id or a search in it.
 */
async function clearHistory(): Promise<void> {
  if (!('navigation' in globalThis)) return;
  const entries = navigation.entries();
  const here = navigation.currentEntry?.index ?? 0;
  let first = here;
  while (first > 0 && entries[first - 1]?.sameDocument) first -= 1;
  const start = entries[first];
  if (!start || first === here) return;
  await navigation.traverseTo(start.key).finished;
  history.replaceState(null, '', '/login');
  history.pushState(null, '', '/login');
}
