import { CACHES } from '../../base/kept-here.ts';

/** As many as a long evening of looking back shows; the one that came first goes first. */
const AT_MOST = 600;

const PHOTOGRAPH = /^\/api\/memories\/[^/]+\/image$/i;

/** A picture that a page of ours shows: not one opened by its address, which the server alone may answer. */
export function isPhotograph(url: URL, { destination }: Request): boolean {
  return destination === 'image' && url.origin === self.location.origin && PHOTOGRAPH.test(url.pathname);
}

/**
 * Asks the server, as if nobody stood between, so that it decides who may see it. A thumbnail is kept; where the network
 * is away the one kept stands in, also for the same photograph's larger sizes. There is a cache only while somebody is
 * signed in (`CACHES.thumbnails`).
 */
export async function showPhotograph(request: Request, event: ExtendableEvent): Promise<Response> {
  // Taken before the asking: one that is deleted meanwhile, at a signing out, takes what is put into it along.
  const kept = (await caches.has(CACHES.thumbnails)) ? await caches.open(CACHES.thumbnails) : null;
  const thumbnail = thumbnailOf(request.url);
  try {
    const response = await fetch(request);
    if (kept !== null) event.waitUntil(follow(kept, request, thumbnail, response.clone()));
    return response;
  } catch (error) {
    const found = await kept?.match(thumbnail);
    if (found) return found;
    throw error;
  }
}

function thumbnailOf(address: string): string {
  const url = new URL(address);
  url.search = '?size=thumbnail';
  return url.href;
}

/** Keeps what the server shows, and drops what it no longer does: deleted, or the session is over. */
async function follow(kept: Cache, { url }: Request, thumbnail: string, response: Response): Promise<void> {
  if ([401, 403, 404].includes(response.status)) await kept.delete(thumbnail);
  if (url !== thumbnail || response.status !== 200) return;
  await kept.put(thumbnail, response);
  const all = await kept.keys();
  await Promise.all(all.slice(0, Math.max(0, all.length - AT_MOST)).map((old) => kept.delete(old)));
}
