import { authorized } from '../../../base/web/api.ts';
import { dropPhotos, keptUpload } from './unsent-store.ts';

/** Drops photographs that are no longer wanted, on this device, and what the server already has of them. */
export async function takeBack(ids: readonly string[]): Promise<void> {
  const begun = await Promise.all(ids.map(keptUpload));
  await dropPhotos(ids);
  for (const upload of begun) if (upload) giveUp(upload.url);
}

/**
 * Tells the server that an upload in pieces will not go on (tus, termination). Nobody waits for it: where it does not
 * arrive, the server drops the pieces after a day.
 */
export function giveUp(url: string): void {
  // Kept alive, for who removes something often leaves the page as well.
  const init = { method: 'DELETE', keepalive: true };
  authorized((headers) => fetch(url, { ...init, headers: { ...headers, 'tus-resumable': '1.0.0' } })).catch(
    () => undefined,
  );
}
