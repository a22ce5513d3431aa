import type { DBSchema, IDBPDatabase } from 'idb';
import { deviceDatabase, requestPersistentStorage, withTimeout } from '../../../base/web/storage/device-database.ts';
import { UNSENT } from '../../../base/web/storage/device-store.ts';
import type { Attempt } from '../../upload-queue.ts';

/**
 * A selected photo that the server has not acknowledged, stored in IndexedDB so that it survives a reload or a closed page
 * (uploads.sending.11). If the store fails, nothing is stored, and uploading works without it.
 */
export interface UnsentPhoto {
  /** A UUID version 7, so that sorting by it keeps the order of selection. */
  readonly id: string;
  readonly userId: string;
  readonly captured: boolean;
  readonly caption: string;
  readonly ownDateId: string | null;
  readonly isUnproposed?: boolean;
  /** The shared date at that time. */
  readonly dateId: string | null;
  readonly attempt: Attempt | null;
  /** It was taken in date mode and is sent by itself; false once the server has refused it. */
  readonly sendsItself?: boolean;
  /** It is part of an upload that was running when the page or the session ended, and goes on at the next visit. */
  readonly isStarted?: boolean;
}

/** The address of a resumable upload, and the key of its attempt. */
export interface UploadAddress {
  readonly key: string;
  readonly url: string;
}

interface Schema extends DBSchema {
  files: { key: string; value: File };
  photos: { key: string; value: UnsentPhoto };
  uploads: { key: string; value: UploadAddress };
}

const STORES = ['files', 'photos', 'uploads'] as const;

const open = deviceDatabase<Schema>(UNSENT, 2, (db) => {
  for (const store of STORES) if (!db.objectStoreNames.contains(store)) db.createObjectStore(store);
});

/** Returns what `work` returns, or undefined if the browser can't store anything. */
async function withDb<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
  try {
    return await work(await open());
  } catch {
    return undefined;
  }
}

/** The same, for a limited time. */
const withDbSoon: typeof withDb = (work) => withTimeout(withDb(work));

/**
 * The same for reading what must not be taken for empty.
 * @throws if the database does not open in time
 */
async function readInTime<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
  const result = await withTimeout(withDb(work).then((found) => ({ found })));
  if (result === undefined) throw new Error('The database does not open');
  return result.found;
}

/**
 * Stores a photo: its bytes, and separately its details, so that a change of the caption does not copy the bytes again.
 * @returns whether both are stored
 */
export async function storePhoto(photo: UnsentPhoto, file: File): Promise<boolean> {
  const isStored = await withDb(async (db) => {
    const tx = db.transaction(['files', 'photos'], 'readwrite');
    await Promise.all([
      tx.objectStore('files').put(file, photo.id),
      tx.objectStore('photos').put(photo, photo.id),
      tx.done,
    ]);
    return true;
  });
  if (isStored && photo.captured) requestPersistentStorage();
  return isStored === true;
}

/** Stores the details of photos, of those that are stored. */
export async function saveDetails(photos: readonly UnsentPhoto[]): Promise<void> {
  if (photos.length === 0) return;
  await withDbSoon(async (db) => {
    const { store, done } = db.transaction('photos', 'readwrite');
    const save = async (photo: UnsentPhoto) => {
      if (await store.getKey(photo.id)) await store.put(photo, photo.id);
    };
    await Promise.all([...photos.map(save), done]);
  });
}

/** Deletes photos that are uploaded or discarded. */
export async function deletePhotos(ids: readonly string[]): Promise<void> {
  await withDbSoon(async (db) => {
    const tx = db.transaction(STORES, 'readwrite');
    const stores = STORES.map((name) => tx.objectStore(name));
    await Promise.all([...ids.flatMap((id) => stores.map((store) => store.delete(id))), tx.done]);
  });
}

/** The details of a photo as they are stored now; undefined if they aren't. */
export function readDetails(id: string): Promise<UnsentPhoto | undefined> {
  return withDbSoon((db) => db.get('photos', id));
}

/**
 * This user's unsent photos in the order of selection. Those of other users of this device stay for them.
 * @throws if the database does not open in time
 */
export async function findUnsent(userId: string): Promise<readonly UnsentPhoto[]> {
  return (await findPhotosOfAll()).filter((photo) => photo.userId === userId);
}

/**
 * The unsent photos of all users of this device, without those whose bytes are missing.
 * @throws if the database does not open in time
 */
export async function findPhotosOfAll(): Promise<readonly UnsentPhoto[]> {
  const saved = (await readInTime((db) => db.getAll('photos'))) ?? [];
  const withBytes = new Set(await readInTime((db) => db.getAllKeys('files')));
  return saved.filter(({ id }) => withBytes.has(id));
}

/** The file of an unsent photo; undefined if the browser has evicted it. */
export function readPhotoFile(id: string): Promise<File | undefined> {
  return withDb((db) => db.get('files', id));
}

export async function saveUploadAddress(id: string, upload: UploadAddress): Promise<void> {
  await withDbSoon((db) => db.put('uploads', upload, id));
}

export function readUploadAddress(id: string): Promise<UploadAddress | undefined> {
  return withDbSoon((db) => db.get('uploads', id));
}

export async function deleteUploadAddress(id: string): Promise<void> {
  await withDbSoon((db) => db.delete('uploads', id));
}
