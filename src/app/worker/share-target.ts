import { CACHES, SHARE } from '../../base/worker-contract.ts';

/**
 * Receives photographs that another app shares (the manifest's share target), saves them for the upload page, and
 * redirects there. If the device has no space, it redirects too, and the page says that no photographs arrived.
 */
export async function receiveSharedPhotos(request: Request): Promise<Response> {
  try {
    const form = await request.formData();
    const cache = await caches.open(CACHES.shared);
    const files = form.getAll(SHARE.field).filter((part) => part instanceof File);
    for (const [order, file] of files.entries()) {
      const headers = {
        'content-type': file.type,
        'content-length': String(file.size),
        'x-name': encodeURIComponent(file.name),
        date: new Date().toUTCString(),
      };
      await cache.put(
        `/${CACHES.shared}/${Date.now()}-${String(order).padStart(3, '0')}`,
        new Response(file, { headers }),
      );
    }
  } catch {
    // Saving failed. The photographs are still on the phone.
  }
  return Response.redirect(`${SHARE.path}?${SHARE.flag}=true`, 303);
}
