import { mayLeave } from '../../../base/web/guards.ts';
import type { OwnAndOthers } from '../../../base/web/outbox.ts';
import { useConfirm } from '../../../kit/web/feedback/confirm.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { loadForget, signOut } from './session.ts';
import { useUser } from './use-session.ts';

/** Count what is stored only on this device. */
export interface UnsentCounters {
  /** The unsent camera shots of a user and of other users. Throws if they can't be counted. */
  readonly countUnsentShots: (userId: string) => Promise<OwnAndOthers>;
}
let loadCounters: () => Promise<UnsentCounters>;

/** Registers how to load the code that counts what is stored only on this device. */
export function provideUnsentCounters(load: typeof loadCounters): void {
  loadCounters = load;
}

/**
 * Loads the code of a sign-out: what asks before it, and what clears the device. The first page preloads it when idle, so
 * that it works offline.
 */
export const loadSignOut = () => Promise.all([import('./sign-out-question.tsx'), loadCounters(), loadForget()]);

/**
 * Returns a function that signs out after asking about unsaved changes and about unsent work that would be lost. If the
 * code for it can't be loaded, it doesn't sign out: that would delete work unasked, or leave the couple's data here.
 * @param to the path that is opened then, the sign-in page by default
 */
export function useSignOut(to?: string): () => void {
  const confirm = useConfirm();
  const notify = useNotify();
  const { id } = useUser();
  const signOutAfterAsking = async () => {
    if (!(await mayLeave())) return;
    const loaded = await loadSignOut().catch(() => null);
    if (loaded === null) {
      notify.alert('We couldn’t check for unsent photos, so you are still signed in. Please try again.');
      return;
    }
    const [{ signOutQuestion }, counters] = loaded;
    const question = await signOutQuestion(id, counters);
    if (question === null || (await confirm(question))) await signOut(to);
  };
  return () => void signOutAfterAsking();
}
