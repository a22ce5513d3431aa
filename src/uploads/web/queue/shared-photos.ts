import { DAY } from '../../../base/time.ts';
import { CACHES } from '../../../base/worker-contract.ts';

/** A photo shared by another app. Its id is stable while it is in the service worker's cache. */
export interface SharedPhoto {
  readonly id: string;
  readonly file: File;
}

/**
 * Passes the photos in the service worker's cache to `take` (issue 5), one tab at a time, and then deletes those whose ids
 * `take` returns, because they are stored elsewhere.
 * @returns how many photos there were
 */
export async function takeShared(
  take: (photos: readonly SharedPhoto[]) => Promise<ReadonlySet<string>>,
): Promise<number> {
  if (!('caches' in globalThis)) return 0;
  return withLock(async () => {
    if (!(await caches.has(CACHES.shared))) return 0;
    const photos = await sharedPhotos();
    const safe = await take(photos);
    await forgetShared([...safe]);
    return photos.length;
  });
}

/** Deletes shared photos from the service worker's cache. */
export async function forgetShared(ids: readonly string[]): Promise<void> {
  if (!('caches' in globalThis) || !(await caches.has(CACHES.shared))) return;
  const kept = await caches.open(CACHES.shared);
  await Promise.all(ids.map((id) => kept.delete(`/${CACHES.shared}/${id}`)));
  if ((await kept.keys()).length === 0) await caches.delete(CACHES.shared);
}

async function sharedPhotos(): Promise<SharedPhoto[]> {
  const kept = await caches.open(CACHES.shared);
  const photos: SharedPhoto[] = [];
  for (const request of await kept.keys()) {
    const response = await kept.match(request);
    // Photos older than a day are deleted.
    const fresh = response && Date.now() - Date.parse(response.headers.get('date') ?? '') < DAY;
    if (fresh) photos.push({ id: request.url.slice(request.url.lastIndexOf('/') + 1), file: await fileOf(response) });
    else await kept.delete(request);
  }
  return photos;
}

async function fileOf(response: Response): Promise<File> {
  const name = decodeURIComponent(response.headers.get('x-name') ?? 'photograph');
  return new File([await response.blob()], name, { type: response.headers.get('content-type') ?? '' });
}

function withLock<T>(act: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined;
  return locks ? locks.request(CACHES.shared, act) : act();
}
