import type { DBSchema, IDBPDatabase } from 'idb';
import { DAY } from '../../../base/time.ts';
import { deviceDatabase, requestPersistentStorage, within } from '../../../base/web/device-database.ts';
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
  /** It was taken in date mode and is sent by itself (contract 6). */
  readonly sendsItself?: boolean;
  /**
   * When it was saved or discarded, in milliseconds. The row of a photograph that was taken here stays for a day without
   * its bytes, since another tab may have the photograph in memory. A missing row would not say whether it was sent: the
   * browser may have lost it.
   */
  readonly doneAt?: number;
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

interface Schema extends DBSchema {
  files: { key: string; value: File };
  photos: { key: string; value: UnsentPhoto };
  runs: { key: string; value: UnsentRun };
  uploads: { key: string; value: UploadAddress };
}

const STORES = ['files', 'photos', 'runs', 'uploads'] as const;
/** The key of the last run in older versions of the page, whichever user it was from. Now the key is the user's id. */
const OLD_RUN = 'last';

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
const withDbSoon: typeof withDb = (work) => within(withDb(work));

/**
 * The same for reading what must not be taken for empty.
 * @throws if the database does not open in time
 */
async function readInTime<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
  const result = await within(withDb(work).then((found) => ({ found })));
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

/** Stores the details of photos whose bytes are stored. */
export async function saveDetails(photos: readonly UnsentPhoto[]): Promise<void> {
  if (photos.length === 0) return;
  await withDbSoon(async (db) => {
    const tx = db.transaction('photos', 'readwrite');
    await Promise.all([...photos.map((photo) => tx.store.put(photo, photo.id)), tx.done]);
  });
}

/** Deletes photos that are uploaded or discarded. Of those that were taken here, it leaves a row with `doneAt`. */
export async function deletePhotos(ids: readonly string[]): Promise<void> {
  const deleteThem = (keepsRows: boolean) =>
    withDb(async (db) => {
      const tx = db.transaction(['files', 'photos', 'uploads'], 'readwrite');
      const photos = tx.objectStore('photos');
      const finish = async (id: string) => {
        const photo = keepsRows ? await photos.get(id) : undefined;
        if (photo?.captured) await photos.put({ ...photo, caption: '', attempt: null, doneAt: Date.now() }, id);
        else await photos.delete(id);
      };
      const others = [tx.objectStore('files'), tx.objectStore('uploads')];
      await Promise.all([...ids.flatMap((id) => [finish(id), ...others.map((store) => store.delete(id))]), tx.done]);
      return true;
    });
  // A full device stores no row, and takes back a transaction with one. It always deletes.
  await within(deleteThem(true).then((areDeleted) => areDeleted ?? deleteThem(false)));
}

/** Deletes the rows with `doneAt` after a day. */
async function deleteOldRows(photos: readonly UnsentPhoto[]): Promise<void> {
  const old = photos.filter(({ doneAt = Number.POSITIVE_INFINITY }) => doneAt < Date.now() - DAY);
  if (old.length > 0) await withDbSoon((db) => Promise.all(old.map(({ id }) => db.delete('photos', id))));
}

/** The details of a photo as they are stored now; undefined if they aren't. */
export function readDetails(id: string): Promise<UnsentPhoto | undefined> {
  return withDbSoon((db) => db.get('photos', id));
}

export async function saveRun(run: UnsentRun): Promise<void> {
  await withDbSoon((db) => db.put('runs', run, run.userId));
}

/**
 * This user's unsent photos in the order of selection. Those of other users of this device stay for them.
 * @throws if the database does not open in time
 */
export async function findUnsent(userId: string): Promise<{ photos: readonly UnsentPhoto[]; run: UnsentRun | null }> {
  const photos = (await findPhotosOfAll()).filter((photo) => photo.userId === userId);
  const run = await readInTime(async (db) => (await db.get('runs', userId)) ?? (await db.get('runs', OLD_RUN)));
  return { photos, run: run?.userId === userId ? run : null };
}

/**
 * The unsent photos of all users of this device, without those whose bytes are missing.
 * @throws if the database does not open in time
 */
export async function findPhotosOfAll(): Promise<readonly UnsentPhoto[]> {
  const saved = (await readInTime((db) => db.getAll('photos'))) ?? [];
  const withBytes = new Set(await readInTime((db) => db.getAllKeys('files')));
  await deleteOldRows(saved);
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
