import { useEffect, useRef } from 'react';
import { scheduleRetry } from '../../../base/web/net/schedule-retry.ts';
import { queryClient } from '../queries/query-client.ts';

/** Refetches what either partner changes, while the server can be reached. */
export function useLiveChanges(isReachable: boolean): void {
  const hasGap = useRef(false);
  useEffect(() => {
    if (!isReachable) {
      hasGap.current = true;
      return undefined;
    }
    let stop: (() => void) | undefined;
    let hasStopped = false;
    const follow = () => {
      // Loaded on demand: the first page does not wait for it. Its stream is open by then (`early-stream.ts`).
      import('./follow-changes.ts').then(
        ({ followChanges }) => {
          if (!hasStopped) stop = followChanges(queryClient, hasGap.current);
        },
        () => {
          hasGap.current = true;
          if (!hasStopped) stop = scheduleRetry(follow);
        },
      );
    };
    follow();
    return () => {
      hasStopped = true;
      stop?.();
    };
  }, [isReachable]);
}
