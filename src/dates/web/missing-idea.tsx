import type { ReactNode } from 'react';
import { useUser } from '../../auth/web/session/use-session.ts';
import type { useCreateKey } from '../../base/web/forms/use-create-key.ts';
import { moveDraft } from '../../base/web/storage/stored-draft.ts';
import { paths } from '../../paths.ts';
import { useDates } from './queries.ts';
import { UnplannableIdea } from './unplannable-idea.tsx';
import { useAddAgain } from './use-add-again.ts';

export const IDEA_DELETED = 'This idea was deleted. Add it again to plan a date from it.';

export const ADD_IDEA_AGAIN = 'Add it again';

interface MissingIdeaProps {
  readonly id: string;
  readonly idempotencyKeyOf: ReturnType<typeof useCreateKey>;
  readonly loading: ReactNode;
  readonly otherwise: ReactNode;
}

/**
 * Shown if an idea doesn't exist. If a date still has its fields, the idea was deleted, and one press adds it again. In
 * any other case it renders `otherwise`.
 */
export function MissingIdea({ id, idempotencyKeyOf, loading, otherwise }: MissingIdeaProps) {
  const dates = useDates();
  const owner = useUser().id;
  // What was typed for the deleted idea, for instance offline, is moved to the new one.
  const { addAgain, isAdding } = useAddAgain(
    idempotencyKeyOf,
    (path) => void moveDraft(owner, paths.planDate(id), path),
  );
  if (dates.isPending) return loading;
  const idea = dates.data?.find(({ dateIdea }) => dateIdea.id === id)?.dateIdea;
  if (!idea?.category) return otherwise;
  const { title, description, category } = idea;
  return (
    <UnplannableIdea
      title={title}
      verb={ADD_IDEA_AGAIN}
      busy={isAdding}
      onPress={() => addAgain({ title, description, category })}
    >
      {IDEA_DELETED}
    </UnplannableIdea>
  );
}
