import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { UploadQueue } from '../upload-queue.ts';
import { memoryKeys } from './queries.ts';
import { Uploader } from './uploader.ts';

export interface Upload {
  readonly uploader: Uploader;
  readonly queue: UploadQueue;
  /** How many photographs of an earlier visit wait to be restored. */
  readonly kept: number;
  readonly restore: () => void;
  readonly discard: () => void;
}

/** The upload of this page: it lives and ends with it. */
export function useUploader(userId: string): Upload {
  const [uploader] = useState(() => new Uploader(userId));
  const queue = useSyncExternalStore(uploader.subscribe, uploader.queue, uploader.queue);
  const [kept, setKept] = useState(0);
  useEffect(() => {
    let gone = false;
    void uploader.findKept().then((count) => {
      if (!gone) setKept(count);
    });
    return () => {
      gone = true;
      uploader.leave();
    };
  }, [uploader]);
  useOldWhenSaved(queue);
  const take = (act: () => Promise<void>) => () => {
    setKept(0);
    void act();
  };
  return {
    uploader,
    queue,
    kept,
    restore: take(() => uploader.restore()),
    discard: take(() => uploader.discardKept()),
  };
}

/** When a run ends with something saved, the lists of memories, the counts and the figures are old. */
function useOldWhenSaved({ running, items }: UploadQueue): void {
  const queries = useQueryClient();
  const saved = items.filter(({ state }) => state === 'uploaded').length;
  const tell = useEffectEvent(() => {
    for (const queryKey of [memoryKeys.all, ['dates'], ['stats'], ['home']])
      void queries.invalidateQueries({ queryKey });
  });
  useEffect(() => {
    if (!running && saved > 0) tell();
  }, [running, saved]);
}
