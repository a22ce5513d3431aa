import { useConfirm } from '../../../kit/web/feedback/confirm.tsx';
import { type LastStep, signOutQuestion } from '../session/sign-out-question.tsx';
import { useUser } from '../session/use-session.ts';
import { unsentCounters } from '../session/use-sign-out.ts';

/**
 * Returns a function that asks about unsent work which a step would lose. It resolves to whether the step may be taken:
 * without a question if nothing would be lost.
 */
export function useUnsentQuestion(step: LastStep): () => Promise<boolean> {
  const confirm = useConfirm();
  const { id } = useUser();
  return async () => {
    const question = await signOutQuestion(id, unsentCounters(), step);
    return question === null || confirm(question);
  };
}
