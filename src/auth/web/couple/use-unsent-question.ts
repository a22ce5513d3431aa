import { useConfirm } from '../../../kit/web/feedback/confirm.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import type { LastStep } from '../session/sign-out-question.tsx';
import { useUser } from '../session/use-session.ts';
import { loadSignOut } from '../session/use-sign-out.ts';

/**
 * Returns a function that asks about unsent work which a step would lose. It resolves to whether the step may be taken:
 * without a question if nothing would be lost, and not if that is unknown.
 */
export function useUnsentQuestion(step: LastStep): () => Promise<boolean> {
  const confirm = useConfirm();
  const notify = useNotify();
  const { id } = useUser();
  return async () => {
    const loaded = await loadSignOut().catch(() => null);
    if (loaded === null) {
      notify.alert('We couldn’t check for unsent photos, so nothing has changed. Please try again.');
      return false;
    }
    const [{ signOutQuestion }, counters] = loaded;
    const question = await signOutQuestion(id, counters, step);
    return question === null || confirm(question);
  };
}
