import { CACHES } from '../../worker-contract.ts';
import { KEPT, LAST_SEEN, OUTBOX, recall, remember, UNSENT } from './device-store.ts';

/** The databases that an expired session keeps. */
const UNSENT_DATABASES = [UNSENT, OUTBOX];

/**
 * Deletes the couple's data from this device: storage, caches, databases and shown notifications; and ends the push
 * subscription, which would bring more of it. It never throws.
 * @param options `keepUnsent` keeps the push subscription and unsent photographs, ideas, plans and words, for a session
 *   that expired and may be continued
 */
export async function forgetDevice({ keepUnsent = false } = {}): Promise<void> {
  await Promise.allSettled([
    clearStorages(),
    clearCaches(keepUnsent),
    clearDatabases(keepUnsent),
    endReminders(keepUnsent),
  ]);
}

/** Deletes only the cached responses and the known user, for a page that starts without a valid session. */
export async function forgetSeen(): Promise<void> {
  await Promise.allSettled([deleteDatabase(LAST_SEEN), clearCaches(true)]);
  remember('known', null);
}

/** The sessionStorage key of what the next page says about the end of the session. It contains no data of the couple. */
export const FAREWELL = 'farewell';

async function clearStorages(): Promise<void> {
  const kept = KEPT.map((key) => [key, recall(key)] as const);
  const farewell = sessionStorage.getItem(FAREWELL);
  sessionStorage.clear();
  localStorage.clear();
  if (farewell !== null) sessionStorage.setItem(FAREWELL, farewell);
  for (const [key, value] of kept) remember(key, value);
}

/** The service worker's cache of the app's files: it has no personal data, and the app needs it offline. */
const SHELL = /^workbox-precache/;

async function clearCaches(keepUnsent: boolean): Promise<void> {
  if (!('caches' in globalThis)) return;
  const unsent: readonly string[] = keepUnsent ? [CACHES.shared, CACHES.lastUser] : [];
  const found = (await caches.keys()).filter((name) => !SHELL.test(name) && !unsent.includes(name));
  await Promise.all(found.map((name) => caches.delete(name)));
}

async function clearDatabases(keepUnsent: boolean): Promise<void> {
  // Not every browser can list its databases, so delete the known ones by name too.
  const listed = (await indexedDB.databases?.().catch(() => [])) ?? [];
  const names = new Set([LAST_SEEN, ...(keepUnsent ? [] : UNSENT_DATABASES), ...listed.map(({ name = '' }) => name)]);
  if (keepUnsent) for (const name of UNSENT_DATABASES) names.delete(name);
  await Promise.all([...names].map(deleteDatabase));
}

/** How long signing out waits for the deletion of a database, in milliseconds. The deletion itself goes on. */
const DELETION_MS = 3000;

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = request.onerror = () => resolve();
    // Another tab has it open. It is deleted as soon as that tab closes it.
    request.onblocked = () => resolve();
    // It waits for another tab without a word, behind a connection that does not open.
    setTimeout(resolve, DELETION_MS);
  });
}

/** Closes shown notifications. Ends the push subscription too, without waiting for it, unless the session may be continued. */
async function endReminders(keepUnsent: boolean): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const shown of (await registration?.getNotifications?.()) ?? []) shown.close();
  if (!keepUnsent)
    void registration?.pushManager?.getSubscription().then((subscription) => subscription?.unsubscribe());
}
