import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import type { useCreateKey } from '../../base/web/forms/use-create-key.ts';
import { moveDraft } from '../../base/web/storage/stored-draft.ts';
import { useCreateIdea } from '../../ideas/web/queries.ts';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { paths } from '../../paths.ts';
import { IdeaOffer } from './idea-offer.tsx';
import { activeBody, type IdeaParts } from './inactive-idea.tsx';
import { useDates } from './queries.ts';

export const DELETED = 'This idea was deleted. Add it again to plan a date from it.';

export const ADD_AGAIN = 'Add it again';

/**
 * Returns a function that adds a deleted idea again, as a new one (the server can't restore deleted ideas), and opens the
 * plan form of that.
 * @param idempotencyKeyOf the page's idempotency key, so that a second press after a lost reply creates nothing twice
 * @param carry takes along to the path of that form what was typed
 */
export function useAddAgain(idempotencyKeyOf: ReturnType<typeof useCreateKey>, carry: (path: string) => void) {
  const [, navigate] = useLocation();
  const notify = useNotify();
  const createIdea = useCreateIdea();
  const owner = useUser().id;
  // The live change may arrive before the reply and remount this. These callbacks run all the same.
  const { mutate, isPending } = useMutation({
    mutationFn: ({ title, description, category }: IdeaParts) => {
      const body = activeBody({ title, description, category });
      return createIdea({ body, key: idempotencyKeyOf(body), keep: { owner, form: body, path: paths.addIdea } });
    },
    onSuccess: (added) => {
      if (added === null) return navigate(paths.ideas, { replace: true });
      carry(paths.planDate(added.id));
      navigate(paths.planDate(added.id), { replace: true });
    },
    onError: () => notify.alert('Failed to create date idea. Please try again.'),
  });
  return { addAgain: (idea: IdeaParts) => mutate(idea), isAdding: isPending };
}

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
  // What was typed for the deleted idea, such as offline, is about the new one.
  const { addAgain, isAdding } = useAddAgain(
    idempotencyKeyOf,
    (path) => void moveDraft(owner, paths.planDate(id), path),
  );
  if (dates.isPending) return loading;
  const idea = dates.data?.find(({ dateIdea }) => dateIdea.id === id)?.dateIdea;
  if (!idea?.category) return otherwise;
  const { title, description, category } = idea;
  return (
    <IdeaOffer
      title={title}
      verb={ADD_AGAIN}
      busy={isAdding}
      onPress={() => addAgain({ title, description, category })}
    >
      {DELETED}
    </IdeaOffer>
  );
}
