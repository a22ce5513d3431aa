import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import type { useCreateKey } from '../../base/web/forms/use-create-key.ts';
import { useCreateIdea } from '../../ideas/web/queries.ts';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { paths } from '../../paths.ts';
import { activeIdeaBody, type IdeaTexts } from '../active-idea-body.ts';

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
    mutationFn: (idea: IdeaTexts) => {
      const body = activeIdeaBody(idea);
      return createIdea({ body, key: idempotencyKeyOf(body), keep: { owner, form: body, path: paths.addIdea } });
    },
    onSuccess: (added) => {
      if (added === null) return navigate(paths.ideas, { replace: true });
      carry(paths.planDate(added.id));
      navigate(paths.planDate(added.id), { replace: true });
    },
    onError: () => notify.alert('Failed to create date idea. Please try again.'),
  });
  return { addAgain: (idea: IdeaTexts) => mutate(idea), isAdding: isPending };
}
