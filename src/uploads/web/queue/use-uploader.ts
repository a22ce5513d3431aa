import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { refetchAffected } from '../../../base/web/queries/affected-queries.ts';
import { useStore } from '../../../base/web/state/use-store.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import type { UploadQueue } from '../../upload-queue.ts';
import { leftText } from '../../upload-texts.ts';
import { unstoredShots } from './store-shot.ts';
import { Uploader } from './uploader.ts';
import { useSharedPhotos } from './use-shared-photos.ts';
import { type UnsentDeletions, useUnsentDeletions } from './use-unsent-deletions.ts';

export interface Upload extends UnsentDeletions {
  readonly uploader: Uploader;
  readonly queue: UploadQueue;
  /** How many photos can be restored. */
  readonly kept: number;
  /** How many photos of the queue were taken here and exist only on this page, since the device could not store them. */
  readonly unstored: number;
  readonly restore: () => void;
}

/** The upload of this page. It ends with the page. */
export function useUploader(userId: string): Upload {
  const [uploader] = useState(() => new Uploader(userId));
  const queue = useStore(uploader.queue);
  const kept = useStore(uploader.keptCount);
  const storing = useStore(unstoredShots);
  const unstored = queue.items.filter(({ id }) => storing.get(id) === 'failed').length;
  const [isReady, setReady] = useState(false);
  const notify = useNotify();
  useEffect(() => {
    let isGone = false;
    const toReady = () => {
      if (!isGone) setReady(true);
    };
    uploader.findUnsent().then(toReady, toReady);
    return () => {
      isGone = true;
      uploader.leave();
    };
  }, [uploader]);
  useSharedPhotos(uploader, userId, isReady);
  useInvalidateWhenSaved(queue);
  const deletions = useUnsentDeletions(uploader);
  const restore = async () => {
    const left = await uploader.restore();
    if (left > 0) notify.alert(leftText(left));
  };
  return { uploader, queue, kept, unstored, restore: () => void restore().catch(() => undefined), ...deletions };
}

/** Refetches what memories affect after a run that saved something. */
function useInvalidateWhenSaved({ isRunning, items }: UploadQueue): void {
  const queryClient = useQueryClient();
  const saved = items.filter(({ state }) => state === 'uploaded').length;
  const refetch = useEffectEvent(() => void refetchAffected(queryClient, 'memory'));
  useEffect(() => {
    if (!isRunning && saved > 0) refetch();
  }, [isRunning, saved]);
}
