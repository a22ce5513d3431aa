import { authorized } from '../../../base/web/net/access-token.ts';
import { deletePhotos, readUploadAddress } from './unsent-store.ts';

/** Deletes photos on this device, and the parts of them that are already on the server. */
export async function discardPhotos(ids: readonly string[]): Promise<void> {
  const begun = await Promise.all(ids.map(readUploadAddress));
  await deletePhotos(ids);
  for (const upload of begun) if (upload) terminateUpload(upload.url);
}

/**
 * Terminates a resumable upload on the server (tus, termination), without waiting. If the request is lost, the server
 * deletes the parts after a day.
 */
export function terminateUpload(url: string): void {
  // `keepalive`, since the user may leave the page right away.
  const init = { method: 'DELETE', keepalive: true };
  authorized((headers) => fetch(url, { ...init, headers: { ...headers, 'tus-resumable': '1.0.0' } })).catch(
    () => undefined,
  );
}
