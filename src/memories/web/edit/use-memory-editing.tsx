import { type ReactNode, useState } from 'react';
import { loadOnDemand } from '../../../base/web/net/load-on-demand.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';

/** Loaded with the first press on 'Edit'. */
const EditMemoryDialog = loadOnDemand(() =>
  import('./edit-memory-dialog.tsx').then((module) => module.EditMemoryDialog),
);

/** The dialog 'Edit Memory': a function that opens it for a memory, whether it is open, and what to render. */
export function useMemoryEditing(): {
  readonly edit: (memory: { readonly id: string }) => void;
  readonly isEditing: boolean;
  readonly dialog: ReactNode;
} {
  const [memoryId, setMemoryId] = useState<string | null>(null);
  const notify = useNotify();
  const close = (isSaved: boolean) => {
    setMemoryId(null);
    if (isSaved) notify.status('The memory is corrected.');
  };
  return {
    edit: ({ id }) => setMemoryId(id),
    isEditing: memoryId !== null,
    dialog: memoryId !== null && <EditMemoryDialog memoryId={memoryId} onClose={close} />,
  };
}
