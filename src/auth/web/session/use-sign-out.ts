import { mayLeave } from '../../../base/web/navigation/guards.ts';
import { signOut } from './end-session.ts';
import type { LosingStep } from './find-unsent-question.tsx';
import { useAskBeforeLosing } from './use-ask-before-losing.ts';

const SIGN_OUT: LosingStep = {
  sure: 'Are you sure you want to sign out?',
  why: 'Signing out clears this device, so this would be lost.',
  verb: 'Sign out',
};

/**
 * Returns a function that signs out after asking about unsaved changes and about unsent work that would be lost.
 * @param to the path that is opened then, the sign-in page by default
 */
export function useSignOut(to?: string): () => void {
  const askBeforeLosing = useAskBeforeLosing(SIGN_OUT);
  const signOutAfterAsking = async () => {
    if ((await mayLeave()) && (await askBeforeLosing())) await signOut(to);
  };
  return () => void signOutAfterAsking();
}
