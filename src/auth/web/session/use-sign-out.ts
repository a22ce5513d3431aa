import { mayLeave } from '../../../base/web/navigation/guards.ts';
import type { OwnAndOthers } from '../../../base/web/storage/outbox.ts';
import { useConfirm } from '../../../kit/web/feedback/confirm.tsx';
import { signOut } from './end-session.ts';
import { signOutQuestion } from './sign-out-question.tsx';
import { useUser } from './use-session.ts';

/** Count what is stored only on this device. */
export interface UnsentCounters {
  /** The unsent camera shots of a user and of other users. Throws if they can't be counted. */
  readonly countUnsentShots: (userId: string) => Promise<OwnAndOthers>;
}
let counters: UnsentCounters;

/** Registers what counts what is stored only on this device. */
export function provideUnsentCounters(given: UnsentCounters): void {
  counters = given;
}

/** The counters that were registered. */
export const unsentCounters = () => counters;

/**
 * Returns a function that signs out after asking about unsaved changes and about unsent work that would be lost.
 * @param to the path that is opened then, the sign-in page by default
 */
export function useSignOut(to?: string): () => void {
  const confirm = useConfirm();
  const { id } = useUser();
  const signOutAfterAsking = async () => {
    if (!(await mayLeave())) return;
    const question = await signOutQuestion(id, counters);
    if (question === null || (await confirm(question))) await signOut(to);
  };
  return () => void signOutAfterAsking();
}
