import { CACHES, SHARE } from '../../base/kept-here.ts';

/**
 * Takes photographs that another app shares (the manifest's share target), lays them down for the upload page, and leads
 * there. A device without room for them leads there as well, and the page says that nothing has come.
 */
export async function handOver(request: Request): Promise<Response> {
  try {
    const form = await request.formData();
    const kept = await caches.open(CACHES.shared);
    const files = form.getAll(SHARE.field).filter((part) => part instanceof File);
    for (const [order, file] of files.entries()) {
      const headers = {
        'content-type': file.type,
        'content-length': String(file.size),
        'x-name': encodeURIComponent(file.name),
        date: new Date().toUTCString(),
      };
      await kept.put(
        `/${CACHES.shared}/${Date.now()}-${String(order).padStart(3, '0')}`,
        new Response(file, { headers }),
      );
    }
  } catch {
    // Nothing could be kept: what the phone still has is not lost.
  }
  return Response.redirect(`${SHARE.path}?${SHARE.flag}=true`, 303);
}
