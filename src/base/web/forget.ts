import { CACHES } from '../kept-here.ts';
import { KEPT, LAST_SEEN, OUTBOX, recall, remember, UNSENT } from './device-store.ts';

/**
 * Leaves no answer, text or address of the couple on this device (contract 2, logout; contract 5): storages, caches,
 * databases, reminders that were shown, and the addresses in this tab's history. Where the session ended by itself, what its user has not sent yet
 * is spared, for when the same user comes back. It never throws: what cannot be cleared holds up nobody.
 */
export async function forgetDevice({ keepUnsent = false } = {}): Promise<void> {
  await Promise.allSettled([
    clearStorages(),
    clearCaches(keepUnsent),
    clearDatabases(keepUnsent),
    clearReminders(keepUnsent),
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

async function clearCaches(keepUnsent: boolean): Promise<void> {
  if (!('caches' in globalThis)) return;
  const found = (await caches.keys()).filter((name) => !SHELL.test(name) && !(keepUnsent && name === CACHES.shared));
  await Promise.all(found.map((name) => caches.delete(name)));
}

async function clearDatabases(keepUnsent: boolean): Promise<void> {
  // Not every browser lists its databases; ours are known by name.
  const listed = (await indexedDB.databases?.().catch(() => [])) ?? [];
  const names = new Set([LAST_SEEN, ...(keepUnsent ? [] : [UNSENT, OUTBOX]), ...listed.map(({ name = '' }) => name)]);
  if (keepUnsent) for (const name of [UNSENT, OUTBOX]) names.delete(name);
  await Promise.all([...names].map(deleteDatabase));
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
async function clearReminders(keepUnsent: boolean): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const shown of (await registration?.getNotifications?.()) ?? []) shown.close();
  if (!keepUnsent) void registration?.pushManager?.getSubscription().then((told) => told?.unsubscribe());
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
