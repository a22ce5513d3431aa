import { mayLeave } from '../../../base/web/guards.ts';
import { useConfirm } from '../../../kit/web/feedback/confirm.tsx';
import { signOut } from './session.ts';
import { useUser } from './use-session.ts';

type Count = (userId: string) => Promise<number>;
let countShots: Count = async () => 0;

/** Says how to count a user's camera shots that are kept on this device alone. */
export function countShotsBy(count: Count): void {
  countShots = count;
}

/** Loaded ahead by the first page, so that it is there also when the network is not. */
export const askingFirst = () => import('./sign-out-question.tsx');

/** Signs out when asked to: first it asks about unsaved work, and about what is not sent and would be lost. */
export function useSignOut(): () => void {
  const confirm = useConfirm();
  const { id } = useUser();
  const leave = async () => {
    if (!(await mayLeave())) return;
    const question = await askingFirst()
      .then(({ questionOf }) => questionOf(id, countShots))
      .catch(() => null);
    if (question === null || (await confirm(question))) await signOut();
  };
  return () => void leave();
}
