import { lazy, type ReactNode, Suspense } from 'react';
import { type MemoryFeatures, MemoryFeaturesProvider } from '../../../dates/web/memory-features.ts';
import { PrintSkeletons } from '../../../kit/web/feedback/skeleton.tsx';
import { useRestore } from '../../../memories/web/queries.ts';

const DateMemories = lazy(() =>
  import('../../../memories/web/date-memories.tsx').then((module) => ({ default: module.DateMemories })),
);

/** The date renders while the code of its photographs loads. */
const Memories: MemoryFeatures['Memories'] = (props) => (
  <Suspense fallback={<PrintSkeletons message="Loading our memories..." count={3} />}>
    <DateMemories {...props} />
  </Suspense>
);

/** Provides the dates slice with the features of the memories slice. */
export function WithMemoryFeatures({ children }: { children: ReactNode }) {
  const { mutateAsync } = useRestore();
  const features: MemoryFeatures = { Memories, restore: (id) => mutateAsync(id) };
  return <MemoryFeaturesProvider value={features}>{children}</MemoryFeaturesProvider>;
}
