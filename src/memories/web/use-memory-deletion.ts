import { useMutation } from '@tanstack/react-query';
import { useConfirm } from '../../kit/web/feedback/confirm.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { trashFailureText } from '../../kit/web/feedback/trash-failure-text.ts';
import type { Memory } from '../contract.ts';
import { useDeleteMemory, useRestore } from './queries.ts';

/**
 * Deletes a memory after a confirmation, with a notice that can undo it (memories.gallery.12).
 * @returns a function that resolves to whether the memory was deleted
 */
export function useMemoryDeletion(): (memory: Memory) => Promise<boolean> {
  const confirm = useConfirm();
  const notify = useNotify();
  const deleteMemory = useDeleteMemory();
  const restore = useMutation({
    mutationFn: useRestore(),
    onSuccess: () => notify.status('The memory is back.'),
    onError: (error) => notify.alert(trashFailureText(error, 'Failed to put the memory back. Please try again.')),
  });
  return async ({ id }) => {
    const isSure = await confirm({
      question: 'Are you sure you want to delete this memory?',
      detail: 'For 30 days it can still be put back from Recently deleted in the settings.',
      verb: 'Delete',
    });
    if (!isSure) return false;
    try {
      await deleteMemory(id);
    } catch {
      notify.alert('Failed to delete memory. Please try again.');
      return false;
    }
    notify.status('Memory deleted.', { label: 'Undo', run: () => restore.mutate(id) });
    return true;
  };
}
