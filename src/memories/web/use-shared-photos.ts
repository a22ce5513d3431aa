import { useEffect, useEffectEvent } from 'react';
import { CACHES, SHARE } from '../../base/kept-here.ts';
import { DAY } from '../../base/time.ts';
import { useSearchFlag } from '../../base/web/search-params.ts';
import { useNotify } from '../../base/web/ui/notices.tsx';

/**
 * Takes the photographs that another app has shared with ours, which the service worker has laid down (issue 5). While
 * an upload runs they wait.
 */
export function useSharedPhotos(onFiles: (files: readonly File[]) => void, ready: boolean): void {
  const expected = useSearchFlag(SHARE.flag);
  const notify = useNotify();
  const take = useEffectEvent(async () => {
    const files = await takeShared();
    if (files.length > 0) onFiles(files);
    else if (expected) notify.alert('The shared photographs did not arrive. Please choose them here.');
  });
  useEffect(() => {
    if (ready && 'caches' in globalThis) void take().catch(() => undefined);
  }, [ready]);
}

async function takeShared(): Promise<File[]> {
  if (!(await caches.has(CACHES.shared))) return [];
  const kept = await caches.open(CACHES.shared);
  const files: File[] = [];
  for (const request of await kept.keys()) {
    const response = await kept.match(request);
    // What nobody came for is forgotten.
    const fresh = response && Date.now() - Date.parse(response.headers.get('date') ?? '') < DAY;
    if (fresh) files.push(await fileOf(response));
  }
  await caches.delete(CACHES.shared);
  return files;
}

async function fileOf(response: Response): Promise<File> {
  const name = decodeURIComponent(response.headers.get('x-name') ?? 'photograph');
  return new File([await response.blob()], name, { type: response.headers.get('content-type') ?? '' });
}
