import { lazy, type ReactNode, Suspense } from 'react';
import { PrintSkeletons } from '../../base/web/ui/skeleton.tsx';
import { type DateSlots, DateSlotsProvider } from '../../dates/web/slots.ts';
import { useRestore } from '../../memories/web/queries.ts';

const DateMemories = lazy(() =>
  import('../../memories/web/date-memories.tsx').then((module) => ({ default: module.DateMemories })),
);

/** The date itself is not kept waiting for the code of its photographs. */
const Memories: DateSlots['Memories'] = (props) => (
  <Suspense fallback={<PrintSkeletons message="Loading our memories..." count={3} />}>
    <DateMemories {...props} />
  </Suspense>
);

/** Fills what the screens of dates leave open for the memories. */
export function WithDateSlots({ children }: { children: ReactNode }) {
  const { mutateAsync } = useRestore();
  const slots: DateSlots = { Memories, restore: (id) => mutateAsync(id) };
  return <DateSlotsProvider value={slots}>{children}</DateSlotsProvider>;
}
