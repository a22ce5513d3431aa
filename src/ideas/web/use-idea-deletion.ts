import { useMutation } from '@tanstack/react-query';
import { plural } from '../../base/number-texts.ts';
import { useConfirm } from '../../kit/web/feedback/confirm.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { focusMain } from '../../kit/web/layout/focus-main.ts';
import type { DateIdea } from '../contract.ts';
import { useDeleteIdea } from './queries.ts';

/** Deletes an idea from the list after a question, with notices. `deletingId` is the idea being deleted. */
export function useIdeaDeletion() {
  const confirm = useConfirm();
  const notify = useNotify();
  const deleteIdea = useDeleteIdea();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: deleteIdea,
    onSuccess: () => {
      notify.status('Idea deleted.');
      // The focused button disappears with its card.
      focusMain();
    },
    onError: () => notify.alert('Failed to delete date idea. Please try again.'),
  });
  const ask = async (idea: DateIdea) => {
    const question = 'Are you sure you want to delete this date idea?';
    if (await confirm({ question, detail: deletionDetail(idea), verb: 'Delete' })) mutate(idea.id);
  };
  return { ask: (idea: DateIdea) => void ask(idea), deletingId: isPending ? variables : null };
}

/** The second line of the question: only the idea is deleted. */
function deletionDetail({ title, plannedDatesCount }: DateIdea): string {
  const name = `‘${title}’ will be deleted for good.`;
  if (plannedDatesCount === 0) return name;
  return `${name} The ${plural(plannedDatesCount, 'date')} we planned from it and all their photographs stay.`;
}
