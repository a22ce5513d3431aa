import { useConfirm } from '../../kit/web/feedback/confirm.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { trashFailure } from '../../kit/web/feedback/trash-failure.ts';
import type { Memory } from '../contract.ts';
import { useDeleteMemory, useRestore } from './queries.ts';

/**
 * Deletes a memory after a confirmation, with a notice that can undo it (memories.gallery.12).
 * @returns a function that resolves to whether the memory was deleted
 */
export function useMemoryDeletion(): (memory: Memory) => Promise<boolean> {
  const confirm = useConfirm();
  const notify = useNotify();
  const { mutateAsync: remove } = useDeleteMemory();
  const { mutateAsync: restore } = useRestore();
  const undo = (id: string) =>
    void restore(id).then(
      () => notify.status('The memory is back.'),
      (error: unknown) => notify.alert(trashFailure(error, 'Failed to put the memory back. Please try again.')),
    );
  return async ({ id }) => {
    const sure = await confirm({
      question: 'Are you sure you want to delete this memory?',
      detail: 'For 30 days it can still be put back from Recently deleted in the settings.',
      verb: 'Delete',
    });
    if (!sure) return false;
    try {
      await remove(id);
    } catch {
      notify.alert('Failed to delete memory. Please try again.');
      return false;
    }
    notify.status('Memory deleted.', { label: 'Undo', run: () => undo(id) });
    return true;
  };
}
