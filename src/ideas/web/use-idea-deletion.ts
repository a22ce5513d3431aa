import { useState } from 'react';
import { plural } from '../../base/text.ts';
import { useConfirm } from '../../kit/web/feedback/confirm.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import type { DateIdea } from '../contract.ts';
import { useDeleteIdea } from './queries.ts';

/** Deleting from the list: asked first, told after (spec 8, Idea delete). `under` is the idea that is being deleted. */
export function useIdeaDeletion() {
  const confirm = useConfirm();
  const notify = useNotify();
  const { mutateAsync } = useDeleteIdea();
  const [under, setUnder] = useState<string | null>(null);
  const ask = async (idea: DateIdea) => {
    const question = 'Are you sure you want to delete this date idea?';
    if (!(await confirm({ question, detail: whatGoesAlong(idea), verb: 'Delete' }))) return;
    setUnder(idea.id);
    try {
      await mutateAsync(idea.id);
      notify.status('Idea deleted.');
      // The button that held the focus is gone with its card.
      document.getElementById('main')?.focus({ preventScroll: true });
    } catch {
      notify.alert('Failed to delete date idea. Please try again.');
    } finally {
      setUnder(null);
    }
  };
  return { ask: (idea: DateIdea) => void ask(idea), under };
}

/** The question's second line: an idea goes alone (contract 3). */
function whatGoesAlong({ title, plannedDatesCount }: DateIdea): string {
  const name = `‘${title}’ leaves our ideas for good.`;
  if (plannedDatesCount === 0) return name;
  return `${name} The ${plural(plannedDatesCount, 'date')} we planned from it and all their photographs stay.`;
}
