import { mayLeave } from '../../../base/web/guards.ts';
import { useConfirm } from '../../../kit/web/feedback/confirm.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { signOut } from './session.ts';
import { useUser } from './use-session.ts';

/** Counts a user's unsent camera shots, which are stored only on this device. */
type ShotCounter = (userId: string) => Promise<number>;
let loadShotCounter: () => Promise<ShotCounter> = async () => async () => 0;

/** Registers how to load the code that counts unsent camera shots. */
export function provideShotCounter(load: () => Promise<ShotCounter>): void {
  loadShotCounter = load;
}

/** Loads the code that asks before a sign-out. The first page preloads it when idle, so that it works offline. */
export const loadSignOutQuestion = () => Promise.all([import('./sign-out-question.tsx'), loadShotCounter()]);

/**
 * Returns a function that signs out after asking about unsaved changes and about unsent work that would be lost. If the
 * code that looks for unsent work can't be loaded, it doesn't sign out, because that would delete the work unasked.
 */
export function useSignOut(): () => void {
  const confirm = useConfirm();
  const notify = useNotify();
  const { id } = useUser();
  const signOutAfterAsking = async () => {
    if (!(await mayLeave())) return;
    const loaded = await loadSignOutQuestion().catch(() => null);
    if (loaded === null) {
      notify.alert('We couldn’t check for unsent photos, so you are still signed in. Please try again.');
      return;
    }
    const [{ signOutQuestion }, countShots] = loaded;
    const question = await signOutQuestion(id, countShots);
    if (question === null || (await confirm(question))) await signOut();
  };
  return () => void signOutAfterAsking();
}
