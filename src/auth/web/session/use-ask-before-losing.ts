import { useConfirm } from '../../../kit/web/feedback/confirm.tsx';
import { findUnsentQuestion, type LosingStep } from './find-unsent-question.tsx';
import { useUnsentShotsCounter } from './unsent-shots-counter.ts';
import { useUser } from './use-session.ts';

/**
 * Returns a function that asks about unsent work which a step would lose. It resolves to whether the step may be taken:
 * without a question if nothing would be lost.
 */
export function useAskBeforeLosing(step: LosingStep): () => Promise<boolean> {
  const confirm = useConfirm();
  const countShots = useUnsentShotsCounter();
  const { id } = useUser();
  return async () => {
    const question = await findUnsentQuestion(id, countShots, step);
    return question === null || confirm(question);
  };
}
