import { SHARE, SHARED_HEADERS } from '../../base/share-contract.ts';
import { CACHES } from '../../base/worker-contract.ts';

/**
 * Receives photographs that another app shares (the manifest's share target), saves them for the upload page, and
 * redirects there, with the share's id and how many of how many are saved: the device may have no space for all of them.
 */
export async function receiveSharedPhotos(request: Request): Promise<Response> {
  const share = crypto.randomUUID();
  const query = new URLSearchParams({ [SHARE.flag]: 'true', [SHARE.id]: share });
  try {
    const form = await request.formData();
    const files = form.getAll(SHARE.field).filter((part) => part instanceof File);
    const stored = await storeAll(files, share);
    query.set(SHARE.stored, String(stored));
    query.set(SHARE.of, String(files.length));
  } catch {
    // The form can't be read. The photographs are still on the phone, and the page says that none arrived.
  }
  return Response.redirect(`${SHARE.path}?${query}`, 303);
}

/** Returns how many are stored. */
async function storeAll(files: readonly File[], share: string): Promise<number> {
  const owner = await lastUser();
  let stored = 0;
  for (const [order, file] of files.entries()) {
    const headers = {
      'content-type': file.type,
      'content-length': String(file.size),
      [SHARED_HEADERS.name]: encodeURIComponent(file.name),
      [SHARED_HEADERS.share]: share,
      ...(owner !== null && { [SHARED_HEADERS.owner]: owner }),
      date: new Date().toUTCString(),
    };
    const path = `/${CACHES.shared}/${share}-${String(order).padStart(3, '0')}`;
    try {
      const cache = await caches.open(CACHES.shared);
      await cache.put(path, new Response(file, { headers }));
      stored += 1;
    } catch {
      // There is no space for it. A smaller one may still fit.
    }
  }
  return stored;
}

/** The id of the last user of the device, or null. Never throws: an unknown user's photos are stored too. */
async function lastUser(): Promise<string | null> {
  try {
    const known = await caches.match(`/${CACHES.lastUser}`, { cacheName: CACHES.lastUser });
    return (await known?.text()) ?? null;
  } catch {
    return null;
  }
}
