import { CACHES } from '../../base/worker-contract.ts';

/** The most thumbnails in the cache. The oldest are deleted first. */
const MAX_THUMBNAILS = 600;

const PHOTOGRAPH = /^\/api\/memories\/[^/]+\/image$/i;

/** Whether a page of this app loads a photograph as an image. Opening its URL directly always goes to the server. */
export function isPhotographRequest(url: URL, { destination }: Request): boolean {
  return destination === 'image' && url.origin === self.location.origin && PHOTOGRAPH.test(url.pathname);
}

/** How long a photograph may take before its cached thumbnail is shown, in milliseconds. */
const PATIENCE_MS = 8000;

/**
 * Fetches a photograph from the server, which decides who may see it, and caches thumbnails. Without a network, or if the
 * server does not answer in time, it responds with the cached thumbnail, also for larger sizes. The cache exists only
 * while a user is signed in (`CACHES.thumbnails`).
 */
export async function respondWithPhotograph(request: Request, event: ExtendableEvent): Promise<Response> {
  // Opened before the request: if signing out deletes this cache during the request, a late write goes with it.
  const cache = (await caches.has(CACHES.thumbnails)) ? await caches.open(CACHES.thumbnails) : null;
  if (cache === null) return fetch(request);
  const thumbnail = thumbnailOf(request.url);
  const fetched = fetch(request);
  const update = async () => updateCache(cache, request, thumbnail, (await fetched).clone());
  // If it fails, the cached thumbnail stays.
  event.waitUntil(update().catch(() => undefined));
  const late = new Promise((done) => setTimeout(done, PATIENCE_MS)).then(() => cache.match(thumbnail));
  try {
    return await Promise.race([fetched, late.then((found) => found ?? fetched)]);
  } catch (error) {
    const found = await cache.match(thumbnail);
    if (found) return found;
    throw error;
  }
}

function thumbnailOf(address: string): string {
  const url = new URL(address);
  url.search = '?size=thumbnail';
  return url.href;
}

/** Caches a thumbnail, or deletes it if the server refuses it: the photograph is gone, or the session has ended. */
async function updateCache(cache: Cache, { url }: Request, thumbnail: string, response: Response): Promise<void> {
  if ([401, 403, 404].includes(response.status)) await cache.delete(thumbnail);
  if (url !== thumbnail || response.status !== 200) return;
  await cache.put(thumbnail, response);
  const all = await cache.keys();
  await Promise.all(all.slice(0, Math.max(0, all.length - MAX_THUMBNAILS)).map((old) => cache.delete(old)));
}
