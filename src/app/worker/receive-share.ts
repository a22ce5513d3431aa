import { SHARE, SHARED_HEADERS } from '../../base/share-contract.ts';
import { CACHES } from '../../base/worker-contract.ts';
import { ideaOfShare } from '../../ideas/shared-idea.ts';
import { paths } from '../../paths.ts';

/**
 * Receives what another app shares (the manifest's share target). A text or a link becomes a new idea; with photographs,
 * they alone count. It saves the photographs for the upload page, and redirects there, with the share's id and how many of how many are saved: the device may have no space for all of them.
 */
export async function receiveShare(request: Request): Promise<Response> {
  const share = crypto.randomUUID();
  const query = new URLSearchParams({ [SHARE.flag]: 'true', [SHARE.id]: share });
  try {
    const form = await request.formData();
    // A form without a file has one without a name.
    const isFile = (part: unknown): part is File => part instanceof File && (part.size > 0 || part.name !== '');
    const files = form.getAll(SHARE.field).filter(isFile);
    if (files.length === 0) return Response.redirect(addressOfText(form), 303);
    const stored = await storeAll(files, share);
    query.set(SHARE.stored, String(stored));
    query.set(SHARE.of, String(files.length));
  } catch {
    // The form can't be read. The photographs are still on the phone, and the page says that none arrived.
  }
  return Response.redirect(`${SHARE.path}?${query}`, 303);
}

/** The address of the add form, with what is shared behind the `#`, which no server sees. */
function addressOfText(form: FormData): string {
  const part = (name: string) => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  const idea = ideaOfShare({ title: part(SHARE.title), text: part(SHARE.text), url: part(SHARE.url) });
  return `${paths.addIdea}#${new URLSearchParams({ ...idea })}`;
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
