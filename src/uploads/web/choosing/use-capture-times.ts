import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { online } from '../../../base/web/net/reachable.ts';
import type { Upload } from '../queue/use-uploader.ts';

/** The most capture times read at once: each is a few short reads, whose answers the page waits for. */
const READ_AT_ONCE = 8;

/** The capture times of the selected photos by id, once all of them are read. */
export function useCaptureTimes(
  { uploader, queue }: Upload,
  zone: string,
  isWanted: boolean,
): ReadonlyMap<string, number | null> {
  const known = useRef(new Map<string, number | null>());
  const [times, setTimes] = useState<ReadonlyMap<string, number | null>>(new Map());
  const read = useEffectEvent(async (isGone: () => boolean) => {
    // Loaded on demand: only a page without a date needs it.
    const { readCaptureTime } = await import('./read-capture-time.ts');
    const unread = queue.items.map(({ id }) => id).filter((id) => !known.current.has(id));
    const readNext = async (): Promise<void> => {
      const id = unread.shift();
      const file = id === undefined ? undefined : uploader.fileOf(id);
      if (id === undefined || isGone()) return;
      if (file) known.current.set(id, await readCaptureTime(file, zone));
      return readNext();
    };
    await Promise.all(Array.from({ length: READ_AT_ONCE }, readNext));
    if (isGone()) return;
    setTimes(new Map(known.current));
  });
  const ids = queue.items.map(({ id }) => id).join();
  useEffect(() => {
    if (!isWanted || ids === '') return undefined;
    let isGone = false;
    // Without its code there are no proposals until the connection is back, and the select works as before.
    const start = () => void read(() => isGone).catch(() => undefined);
    const stopRetrying = online.subscribe(start);
    start();
    return () => {
      isGone = true;
      stopRetrying();
    };
  }, [ids, isWanted]);
  return times;
}
