import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { loadOnDemand } from '../../../base/web/net/load-on-demand.tsx';
import { type MemoryFeatures, MemoryFeaturesProvider } from '../../../dates/web/memory-features.ts';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { PrintSkeletons } from '../../../kit/web/feedback/skeleton.tsx';
import { trashFailureText } from '../../../kit/web/feedback/trash-failure-text.ts';
import { useRestore } from '../../../memories/web/queries.ts';

/** The date renders while the code of its photographs loads. */
const Memories: MemoryFeatures['Memories'] = loadOnDemand(
  () => import('../../../memories/web/date-memories.tsx').then((module) => module.DateMemories),
  {
    loading: () => <PrintSkeletons message="Loading our memories..." count={3} />,
    failed: (_, retry) => (
      <ErrorCard title={null} level={3} onRetry={retry}>
        Failed to load memories. Please try again.
      </ErrorCard>
    ),
  },
);

/** Provides the dates slice with the features of the memories slice. */
export function MemoryFeaturesForDates({ children }: { children: ReactNode }) {
  const notify = useNotify();
  const restore = useMutation({
    mutationFn: useRestore(),
    onError: (error) => notify.alert(trashFailureText(error, 'Failed to put it back. Please try again.')),
  });
  const features: MemoryFeatures = { Memories, restore: (id) => restore.mutate(id) };
  return <MemoryFeaturesProvider value={features}>{children}</MemoryFeaturesProvider>;
}
