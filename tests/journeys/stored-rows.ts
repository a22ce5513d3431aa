import type { Page } from 'playwright-core';

/**
 * Returns the keys and the values of a store in the page's IndexedDB, in the order of the keys. Returns none if the page
 * has not created the database yet: opening it here would create it without stores.
 */
export function storedRows(
  page: Page,
  database: string,
  store: string,
): Promise<{ readonly keys: string[]; readonly values: unknown[] }> {
  return page.evaluate(
    ([name, storeName]) =>
      new Promise<{ keys: string[]; values: never[] }>((resolve) => {
        const none = { keys: [], values: [] };
        const opening = indexedDB.open(name);
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = () => resolve(none);
        opening.onsuccess = () => {
          const db = opening.result;
          const reading = db.transaction(storeName);
          const keys = reading.objectStore(storeName).getAllKeys();
          const values = reading.objectStore(storeName).getAll();
          reading.oncomplete = () => {
            db.close();
            resolve({ keys: keys.result as string[], values: values.result as never[] });
          };
        };
      }),
    [database, store] as const,
  );
}

/** Returns the keys of the queries whose answers the page has stored. It stores an answer when it has read it. */
export async function keptAnswers(page: Page): Promise<string[]> {
  return (await storedRows(page, 'last-seen', 'answers')).keys;
}

/** Whether the page has stored its user and an empty cache of thumbnails, without which it shows nothing offline. */
export async function isKnownOffline(page: Page): Promise<boolean> {
  const { keys } = await storedRows(page, 'last-seen', 'who');
  return keys.includes('last') && (await page.evaluate(() => caches.has('thumbnails')));
}

/** Returns what was typed and not saved, in the order of users and forms: in all forms, or in one kind of notes. */
export async function keptWords(
  page: Page,
  kind: '/' | 'date-mode' | 'sealed' | 'outings' | '' = '',
): Promise<unknown[]> {
  const words = (await storedRows(page, 'outbox', 'words')).values as { form: string; typed: unknown }[];
  return words.filter(({ form }) => form.startsWith(kind)).map(({ typed }) => typed);
}
