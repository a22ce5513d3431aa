import { UNSENT } from '../../../base/web/device-store.ts';
import type { Attempt } from '../../upload-queue.ts';

/**
 * A selected photo that the server has not acknowledged, stored in IndexedDB so that it survives a reload or a closed page
 * (issue 4). If the store fails, nothing is stored, and uploading works without it.
 */
export interface UnsentPhoto {
  /** A UUID version 7, so that sorting by it keeps the order of selection. */
  readonly id: string;
  readonly userId: string;
  readonly captured: boolean;
  readonly caption: string;
  readonly ownDateId: string | null;
  /** The shared date at that time; undefined if an older version of the page stored it. */
  readonly dateId?: string | null;
  readonly attempt: Attempt | null;
}

/** The last upload: its photos, their date, and whether it was running when the page or the session ended. */
export interface UnsentRun {
  readonly userId: string;
  readonly dateId: string | null;
  readonly goesOn: boolean;
  /** Undefined (meaning all) if an older version of the page stored it. */
  readonly ids?: readonly string[];
}

/** The address of a resumable upload, and the key of its attempt. */
export interface UploadAddress {
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

async function withStores<T>(
  names: Store[],
  act: (store: (name: Store) => IDBObjectStore) => IDBRequest<T> | undefined,
) {
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
 * Stores a photo: its bytes, and separately its details, so that a change of the caption does not copy the bytes again.
 * @returns whether both are stored
 */
export async function storePhoto(photo: UnsentPhoto, file: File): Promise<boolean> {
  const kept = await withStores(['files', 'photos'], (store) => {
    store('files').put(file, photo.id);
    return store('photos').put(photo, photo.id);
  });
  return kept !== undefined;
}

/** Stores the details of photos whose bytes are stored. */
export function saveDetails(photos: readonly UnsentPhoto[]): Promise<unknown> {
  return withStores(['photos'], (store) => {
    for (const photo of photos) store('photos').put(photo, photo.id);
    return undefined;
  });
}

/** Deletes photos that are uploaded or discarded. */
export function deletePhotos(ids: readonly string[]): Promise<unknown> {
  return withStores(['files', 'photos', 'uploads'], (store) => {
    for (const id of ids) {
      store('files').delete(id);
      store('photos').delete(id);
      store('uploads').delete(id);
    }
    return undefined;
  });
}

export function saveRun(run: UnsentRun): Promise<unknown> {
  return withStores(['runs'], (store) => store('runs').put(run, 'last'));
}

/**
 * This user's unsent photos in the order of selection, without those whose bytes are missing. Photos of another user of
 * this device are deleted.
 */
export async function findUnsent(userId: string): Promise<{ photos: readonly UnsentPhoto[]; run: UnsentRun | null }> {
  const said = ((await withStores(['photos'], (store) => store('photos').getAll())) ?? []) as UnsentPhoto[];
  const there = new Set(await withStores(['files'], (store) => store('files').getAllKeys()));
  const all = said.filter(({ id }) => there.has(id));
  const run = ((await withStores(['runs'], (store) => store('runs').get('last'))) ?? null) as UnsentRun | null;
  const foreign = all.filter((photo) => photo.userId !== userId);
  if (foreign.length > 0) await deletePhotos(foreign.map(({ id }) => id));
  return {
    photos: all.filter((photo) => photo.userId === userId),
    run: run?.userId === userId ? run : null,
  };
}

/** The file of an unsent photo; undefined if the browser has evicted it. */
export async function readPhotoFile(id: string): Promise<File | undefined> {
  return (await withStores(['files'], (store) => store('files').get(id))) as File | undefined;
}

export function saveUploadAddress(id: string, upload: UploadAddress): Promise<unknown> {
  return withStores(['uploads'], (store) => store('uploads').put(upload, id));
}

export async function readUploadAddress(id: string): Promise<UploadAddress | undefined> {
  return (await withStores(['uploads'], (store) => store('uploads').get(id))) as UploadAddress | undefined;
}

export function deleteUploadAddress(id: string): Promise<unknown> {
  return withStores(['uploads'], (store) => store('uploads').delete(id));
}
