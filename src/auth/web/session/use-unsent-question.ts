import { type Question, useConfirm } from '../../../kit/web/feedback/confirm.tsx';
import type { LastStep } from './unsent-question.tsx';
import { type UnsentShotsCounter, useUnsentShotsCounter } from './unsent-shots-counter.ts';
import { useUser } from './use-session.ts';

/**
 * Returns a function that asks about unsent work which a step would lose. It resolves to whether the step may be taken:
 * without a question if nothing would be lost.
 */
export function useUnsentQuestion(step: LastStep): () => Promise<boolean> {
  const confirm = useConfirm();
  const countShots = useUnsentShotsCounter();
  const { id } = useUser();
  return async () => {
    const question = await loadQuestion(id, countShots, step);
    return question === null || confirm(question);
  };
}

/** The first page is without the code that counts. If it does not load, the question says that nothing was counted. */
async function loadQuestion(id: string, countShots: UnsentShotsCounter, step: LastStep): Promise<Question | null> {
  try {
    const { unsentQuestion } = await import('./unsent-question.tsx');
    return await unsentQuestion(id, countShots, step);
  } catch {
    const { sure, why, verb } = step;
    return { question: `We couldn’t check whether everything has been sent. ${sure}`, detail: why, verb, keep: 'Stay' };
  }
}
