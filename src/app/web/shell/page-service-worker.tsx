import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { leaveBy } from '../../../base/web/navigation/guards.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { startServiceWorker } from './start-service-worker.ts';

/** Starts the service worker and offers to reload when a new version is ready. Renders nothing itself. */
export function PageServiceWorker() {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const isBusy = useEffectEvent(() => queryClient.isFetching() > 0);
  const offer = useEffectEvent((activate: () => void) => {
    notify.status('A new version of our app is ready.', { label: 'Reload', run: () => leaveBy(activate), stays: true });
  });
  useEffect(() => {
    void startServiceWorker(
      () => isBusy(),
      (activate) => offer(activate),
    );
  }, []);
  return null;
}
