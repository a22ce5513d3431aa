import { SHARED_HEADERS } from '../../../base/share-contract.ts';
import { withLock } from '../../../base/web/device/locks.ts';
import { CACHES } from '../../../base/worker-contract.ts';
import { isSharedWith, isShareOver, type SharedBy, type Visit } from '../../shares.ts';

/** A photo shared by another app. Its id is stable while it is in the service worker's cache. */
export interface SharedPhoto {
  readonly id: string;
  readonly file: File;
}

/**
 * Passes the visitor's photos in the service worker's cache to `take`, one tab at a time, and then deletes those
 * whose ids `take` returns, because they are stored elsewhere.
 * @returns how many photos there were, and how many of them are still only in the cache
 */
export async function takeShared(
  visit: Visit,
  take: (photos: readonly SharedPhoto[]) => Promise<ReadonlySet<string>>,
): Promise<{ readonly count: number; readonly left: number }> {
  const none = { count: 0, left: 0 };
  if (!('caches' in globalThis)) return none;
  return withLock(CACHES.shared, async () => {
    if (!(await caches.has(CACHES.shared))) return none;
    const photos = await sharedPhotos(visit);
    const safe = await take(photos);
    await forgetShared([...safe]);
    return { count: photos.length, left: photos.filter(({ id }) => !safe.has(id)).length };
  });
}

/** Deletes shared photos from the service worker's cache. */
export async function forgetShared(ids: readonly string[]): Promise<void> {
  if (!('caches' in globalThis) || !(await caches.has(CACHES.shared))) return;
  const kept = await caches.open(CACHES.shared);
  await Promise.all(ids.map((id) => kept.delete(`/${CACHES.shared}/${id}`)));
  if ((await kept.keys()).length === 0) await caches.delete(CACHES.shared);
}

/** The visitor's photos. Deletes those of anybody that have waited too long. */
async function sharedPhotos(visit: Visit): Promise<SharedPhoto[]> {
  const kept = await caches.open(CACHES.shared);
  const photos: SharedPhoto[] = [];
  for (const request of await kept.keys()) {
    const response = await kept.match(request);
    const by = sharedBy(response?.headers ?? new Headers());
    if (!response || isShareOver(by, Date.now())) await kept.delete(request);
    else if (isSharedWith(by, visit))
      photos.push({ id: request.url.slice(request.url.lastIndexOf('/') + 1), file: await fileOf(response) });
  }
  return photos;
}

function sharedBy(headers: Headers): SharedBy {
  const at = Date.parse(headers.get('date') ?? '');
  return { at, owner: headers.get(SHARED_HEADERS.owner), share: headers.get(SHARED_HEADERS.share) ?? '' };
}

async function fileOf(response: Response): Promise<File> {
  const name = decodeURIComponent(response.headers.get(SHARED_HEADERS.name) ?? 'photograph');
  return new File([await response.blob()], name, { type: response.headers.get('content-type') ?? '' });
}
