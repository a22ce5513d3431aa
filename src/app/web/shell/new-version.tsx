import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { mayLeave } from '../../../base/web/guards.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { startWorker } from './start-service-worker.ts';

/** Brings the service worker, and offers a new version when one is there (issue 5). Nothing of it is seen until then. */
export function NewVersion() {
  const queries = useQueryClient();
  const notify = useNotify();
  const isBusy = useEffectEvent(() => queries.isFetching() > 0);
  const offer = useEffectEvent((begin: () => void) => {
    const run = async () => {
      if (await mayLeave()) begin();
    };
    notify.status('A new version of our app is ready.', { label: 'Reload', run: () => void run(), stays: true });
  });
  useEffect(() => {
    void startWorker(
      () => isBusy(),
      (begin) => offer(begin),
    );
  }, []);
  return null;
}
