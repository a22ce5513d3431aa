import { UNSENT } from '../../../base/web/device-store.ts';
import type { Attempt } from '../../upload-queue.ts';

/**
 * What was chosen and not yet acknowledged by the server, kept in the browser's own store (IndexedDB), so that it
 * survives a reload, a closed tab and a phone that ends the page (issue 4). Whatever goes wrong in here is no hindrance:
 * then nothing is kept, and uploading goes as it goes.
 */
export interface KeptPhoto {
  /** Increases with time: sorted by it, the photographs stand as they were chosen. */
  readonly id: string;
  readonly userId: string;
  readonly captured: boolean;
  readonly caption: string;
  readonly ownDateId: string | null;
  /** The date that was chosen for all at that time; undefined where an older version of the page has kept it. */
  readonly dateId?: string | null;
  readonly attempt: Attempt | null;
}

/** The last upload: its photographs, their date, and whether it was under way when the page or the session ended. */
export interface KeptRun {
  readonly userId: string;
  readonly dateId: string | null;
  readonly goesOn: boolean;
  /** Undefined where an older version of the page has kept it: all that are kept. */
  readonly ids?: readonly string[];
}

/** Where a photograph that goes in pieces goes on, and the key of the attempt that it belongs to. */
export interface KeptUpload {
  readonly key: string;
  readonly url: string;
}

const STORES = ['files', 'photos', 'runs', 'uploads'] as const;
type Store = (typeof STORES)[number];

let opening: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(UNSENT, 2);
    request.onupgradeneeded = () => {
      const { result: db } = request;
      for (const store of STORES) if (!db.objectStoreNames.contains(store)) db.createObjectStore(store);
    };
    request.onerror = () => {
      // The next write tries to open it again.
      opening = null;
      reject(request.error ?? new Error('The browser keeps nothing.'));
    };
    request.onsuccess = () => {
      // The browser itself may close it, after an error of the disk for example.
      request.result.onclose = () => {
        opening = null;
      };
      // Whoever signs out in another tab deletes it, and must not be held up.
      request.result.onversionchange = closeKept;
      resolve(request.result);
    };
  });
  return opening;
}

/** Lets the database go, so that it can be deleted. */
export function closeKept(): void {
  void opening?.then((db) => db.close()).catch(() => undefined);
  opening = null;
}

async function inStores<T>(names: Store[], act: (store: (name: Store) => IDBObjectStore) => IDBRequest<T> | undefined) {
  try {
    const transaction = (await open()).transaction(names, 'readwrite');
    const request = act((name) => transaction.objectStore(name));
    return await new Promise<T | undefined>((resolve, reject) => {
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('The browser keeps nothing.'));
    });
  } catch {
    return undefined;
  }
}

/**
 * Keeps a photograph: its bytes, and apart from them what is said of it, so that a word more does not copy them again.
 * Answers whether the browser has both.
 */
export async function keepPhoto(photo: KeptPhoto, file: File): Promise<boolean> {
  const kept = await inStores(['files', 'photos'], (store) => {
    store('files').put(file, photo.id);
    return store('photos').put(photo, photo.id);
  });
  return kept !== undefined;
}

/** Keeps what is said of photographs whose bytes are kept. */
export function keepWords(photos: readonly KeptPhoto[]): Promise<unknown> {
  return inStores(['photos'], (store) => {
    for (const photo of photos) store('photos').put(photo, photo.id);
    return undefined;
  });
}

/** Drops what is acknowledged, or no longer wanted. */
export function dropPhotos(ids: readonly string[]): Promise<unknown> {
  return inStores(['files', 'photos', 'uploads'], (store) => {
    for (const id of ids) {
      store('files').delete(id);
      store('photos').delete(id);
      store('uploads').delete(id);
    }
    return undefined;
  });
}

export function keepRun(run: KeptRun): Promise<unknown> {
  return inStores(['runs'], (store) => store('runs').put(run, 'last'));
}

/**
 * What this user left unsent, in the order it was chosen; without those whose bytes the browser does not have. What
 * another user of this device left is dropped.
 */
export async function findKept(userId: string): Promise<{ photos: readonly KeptPhoto[]; run: KeptRun | null }> {
  const said = ((await inStores(['photos'], (store) => store('photos').getAll())) ?? []) as KeptPhoto[];
  const there = new Set(await inStores(['files'], (store) => store('files').getAllKeys()));
  const all = said.filter(({ id }) => there.has(id));
  const run = ((await inStores(['runs'], (store) => store('runs').get('last'))) ?? null) as KeptRun | null;
  const foreign = all.filter((photo) => photo.userId !== userId);
  if (foreign.length > 0) await dropPhotos(foreign.map(({ id }) => id));
  return {
    photos: all.filter((photo) => photo.userId === userId),
    run: run?.userId === userId ? run : null,
  };
}

/** The bytes of a kept photograph; undefined where the browser has let them go. */
export async function keptFile(id: string): Promise<File | undefined> {
  return (await inStores(['files'], (store) => store('files').get(id))) as File | undefined;
}

export function keepUpload(id: string, upload: KeptUpload): Promise<unknown> {
  return inStores(['uploads'], (store) => store('uploads').put(upload, id));
}

export async function keptUpload(id: string): Promise<KeptUpload | undefined> {
  return (await inStores(['uploads'], (store) => store('uploads').get(id))) as KeptUpload | undefined;
}

export function dropUpload(id: string): Promise<unknown> {
  return inStores(['uploads'], (store) => store('uploads').delete(id));
}
